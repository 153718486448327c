import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiText } from '../../scripts/openapi.ts';

interface Operation {
  operationId?: string;
  summary?: string;
  responses: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
  requestBody?: { content: Record<string, { schema: unknown }> };
}
let text: string;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};
beforeAll(async () => {
  text = await openApiText();
  document = JSON.parse(text) as typeof document;
});

describe('docs/openapi.json', () => {
  it('is what the routes say: node scripts/openapi.ts writes it', async () => {
    expect(await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8')).toBe(text);
  });

  it('is OpenAPI 3.1 and names every endpoint of this version', () => {
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).toEqual(
      expect.arrayContaining([
        'POST /api/v0/public/agent',
        'GET /api/v0/agent/all',
        'GET /api/v0/agent/{agent_id}',
        'GET /api/v0/agent/voices',
        'PATCH /api/v0/agent/v1',
        'GET /api/v0/workspace',
        'GET /api/v0/workspace/all',
        'GET /api/v0/workspace/numbers',
        'PATCH /api/v0/workspace/api-key',
        'POST /api/v0/calling/outbound/individual',
        'POST /api/v0/calling/{call_id}/hangup',
        'GET /api/v0/calling/history',
        'GET /api/v0/calling/call-details',
        'GET /recordings/{file}',
      ]),
    );
  });

  it('gives every operation a name and a summary, and every keyed one its errors', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    expect(operations.filter((o) => !o.operationId || !o.summary)).toEqual([]);
    const error = { $ref: '#/components/schemas/Error' };
    const keyed = operations.filter((o) => o.path.startsWith('/api/') && !o.path.endsWith('/live'));
    const bare = keyed.filter((o) =>
      ['401', '429', '500'].some(
        (status) =>
          JSON.stringify(o.responses[status]?.content?.['application/json']?.schema) !==
          JSON.stringify(error),
      ),
    );
    expect(keyed.length).toBeGreaterThan(12);
    expect(bare.map((o) => o.path)).toEqual([]);
    expect(document.components.schemas['Error']).toMatchObject({ required: ['message'] });
  });

  it('shows one body for each edit operation', () => {
    const body = document.paths['/api/v0/agent/v1']?.['patch']?.requestBody?.content['application/json']
      ?.schema as {
      oneOf: { title: string; required: string[] }[];
    };
    expect(body.oneOf.map((b) => b.title)).toContain('edit_event_subscriptions');
    expect(body.oneOf.every((b) => b.required.includes('operation') && b.required.includes('agent_id'))).toBe(
      true,
    );
  });
});
