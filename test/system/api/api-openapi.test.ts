import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { generatedFiles } from '../../../scripts/openapi.ts';
import type { OpenApi } from '../../../src/http/pages/reference/document.ts';
import { inlined, withNamedSchemas } from '../../../src/http/pages/reference/named-schemas.ts';
import { WEBHOOK_EVENTS } from '../../../src/http/webhooks/event-schemas.ts';
import { createTestApi } from '../../helpers/api/api.ts';

interface Operation {
  operationId?: string;
  summary?: string;
  responses: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
  requestBody?: { content: Record<string, { schema: unknown }> };
}
let files: Record<string, string>;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};
beforeAll(async () => {
  files = await generatedFiles();
  document = JSON.parse(files['docs/openapi.json'] ?? '') as typeof document;
});

describe('docs/openapi.json', () => {
  it('and the files derived from it are up to date (npm run openapi)', async () => {
    expect(Object.keys(files)).toHaveLength(11 + Object.keys(WEBHOOK_EVENTS).length);
    for (const [path, text] of Object.entries(files)) {
      expect(await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text);
    }
  });

  it('is served as JSON, as Markdown and as llms.txt', async () => {
    const api = await createTestApi();
    const json = await api.request('GET', '/openapi.json');
    expect(json.body).toEqual(document);
    const page = await api.request('GET', '/api.md');
    expect(page.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(page.text).toBe(files['docs/api.md']);
    const map = await api.request('GET', '/llms.txt');
    expect([map.status, map.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods))
        expect(map.text).toContain(`\`${method.toUpperCase()} ${path}\``);
    }
    await api.close();
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
        'PATCH /api/v0/public/agent/{agent_id}',
        'DELETE /api/v0/agent/{agent_id}',
        'POST /api/v0/calling/v2/outbound/individual',
        'POST /api/v0/calling/history/download',
        'PATCH /api/v0/campaign/terminate',
        'GET /api/v0/dnc',
        'POST /api/v0/dnc',
        'DELETE /api/v0/dnc',
        'GET /api/v0/number-pool',
        'POST /api/v0/number-pool/{number_pool_id}/members',
        'DELETE /api/v0/number-pool/{number_pool_id}/members',
        'GET /api/v0/workspace/sub',
        'PATCH /api/v0/workspace/sub/{workspace_id}/concurrency',
        'PATCH /api/v0/workspace/sub/credit-balances',
        'GET /recordings/{file}',
      ]),
    );
  });

  it('has an operationId and a summary for every operation, and errors for every keyed one', () => {
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

  it('has one body shape per edit operation, which the field operation tells apart', () => {
    const body = document.paths['/api/v0/agent/v1']?.['patch']?.requestBody?.content['application/json']
      ?.schema as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(body.discriminator.propertyName).toBe('operation');
    const { mapping } = body.discriminator;
    expect(mapping['edit_event_subscriptions']).toBe('#/components/schemas/EditEventSubscriptions');
    expect(body.oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
    for (const [operation, ref] of Object.entries(mapping)) {
      expect(document.components.schemas[ref.split('/').at(-1) ?? '']).toMatchObject({
        title: operation,
        required: expect.arrayContaining(['operation', 'agent_id']),
      });
    }
  });

  it('names the objects that answers share, so that generated clients do', () => {
    const text = files['docs/openapi.json'] ?? '';
    for (const name of ['Agent', 'Call', 'CallSummary', 'Campaign', 'Contact', 'Chat', 'WebhookDelivery']) {
      expect(text).toContain(`"$ref": "#/components/schemas/${name}"`);
    }
    expect(files['packages/sdk/src/operations.ts']).toContain('export type CallBody = {');
  });

  it('is the same document when its names are resolved and given again', () => {
    const { paths, components } = withNamedSchemas(inlined(document as unknown as OpenApi));
    expect(paths).toEqual(document.paths);
    expect(components?.schemas).toEqual(document.components.schemas);
  });
});
