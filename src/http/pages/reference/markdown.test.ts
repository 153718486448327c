import { describe, expect, it } from 'vitest';
import type { OpenApi } from './document.ts';
import { apiMarkdown, llmsText } from './markdown.ts';

const document: OpenApi = {
  info: { title: 'Service', version: '1', description: 'It calls\npeople.\n\nKeys go in a header.' },
  tags: [{ name: 'Calls', description: 'Place them.' }, { name: 'Unused' }],
  paths: {
    '/calls/{id}': {
      post: {
        operationId: 'place',
        summary: 'Place a call',
        tags: ['Calls'],
        parameters: [
          { name: 'id', in: 'path', required: true, description: 'Which.', schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string', maxLength: 5, example: 'a|b' },
                  parts: {
                    type: 'array',
                    maxItems: 2,
                    items: {
                      type: 'object',
                      properties: {
                        at: { anyOf: [{ type: 'integer', description: 'Of the part.' }, { type: 'null' }] },
                      },
                    },
                  },
                  map: {
                    type: 'object',
                    additionalProperties: { type: 'object', properties: { x: { enum: ['p'] } } },
                  },
                },
              },
            },
          },
        },
        responses: {
          200: {
            content: {
              'application/json': { schema: { type: 'object', properties: { ok: { const: true } } } },
            },
          },
          422: {},
        },
      },
    },
    '/other': { get: { operationId: 'other', summary: 'Something else', responses: { 200: {} } } },
  },
  components: {
    schemas: { Error: { description: 'Every failure.', properties: { message: { type: 'string' } } } },
  },
};

describe('the reference', () => {
  it('lists fields by full path with limits, the description of nullable ones, and escaped bars', () => {
    const text = apiMarkdown(document);
    expect(text).toContain('### POST /calls/{id}\n\nPlace a call.');
    expect(text).toContain('| `id` | string | yes | Which. |');
    expect(text).toContain('| `name` | string | yes | At most 5 characters. Example: `"a\\|b"`. |');
    expect(text).toContain('| `parts[].at` | integer or null | no | Of the part. |');
    expect(text).toContain('| `map{}.x` | any | no | One of `p`. |');
    expect(text).toContain('| `ok` | `true` |  |');
    expect(text).toContain('**Errors**: 422');
    expect(text).toContain('## Other\n\n### GET /other');
    expect(text).toContain('## Errors\n\nEvery failure.');
    expect(text).not.toContain('Unused');
  });

  it('has a summary for language models', () => {
    expect(llmsText(document)).toMatch(
      /^# Service\n\n> It calls people\.\n\nKeys go in a header\.\n\n## Docs/,
    );
    expect(llmsText(document)).toContain('- `POST /calls/{id}`: Place a call');
  });
});
