import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiText } from '../../scripts/openapi.ts';
import {
  endpointsOf,
  type MediaType,
  type OpenApi,
  type Operation,
  type Schema,
} from '../../src/http/pages/reference/document.ts';

/** Findings of the linter that are intended, with the reason. */
const WANTED: readonly (readonly [rule: string, pointer: RegExp])[] = [
  // The interface fixes these paths; the router prefers a static segment to a parameter.
  ['no-ambiguous-paths', /(campaign|calling)~1/],
  // Keys are created in the dashboard: this endpoint always answers 403.
  ['operation-2xx-response', /api-key\/patch/],
];

let text: string;
let document: OpenApi;
beforeAll(async () => {
  text = await openApiText();
  document = JSON.parse(text) as OpenApi;
}, 60_000);

describe('the OpenAPI document', () => {
  it(
    'passes the recommended rules of the linter, except intended findings',
    { timeout: 60_000 },
    async () => {
      const config = await createConfig({ extends: ['recommended'] });
      const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
      const found = problems.map((p) => [p.ruleId, p.location[0]?.pointer ?? '', p.message] as const);
      const isWanted = ([rule, pointer]: (typeof found)[number]): boolean =>
        WANTED.some(([wanted, where]) => wanted === rule && where.test(pointer));
      expect(found.filter((problem) => !isWanted(problem))).toEqual([]);
    },
  );

  const examplesOf = (media: MediaType): { name: string; value: unknown; schema: Schema }[] => {
    const { schema = {}, example, examples = {} } = media;
    const many = Object.entries(examples).map(([name, { value }]) => ({ name, value, schema }));
    return example === undefined ? many : [{ name: '', value: example, schema }, ...many];
  };
  const all = (): { at: string; media: MediaType }[] => {
    const operations: [string, Operation][] = [
      ...endpointsOf(document).map((e): [string, Operation] => [e.operationId, e]),
      ...Object.entries(document.webhooks ?? {}).flatMap(([name, methods]) =>
        Object.values(methods).map((operation): [string, Operation] => [`event ${name}`, operation]),
      ),
    ];
    return operations.flatMap(([name, { requestBody, responses }]) => [
      ...Object.values(requestBody?.content ?? {}).map((media) => ({ at: `${name} request`, media })),
      ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content)
          .filter(([type]) => type === 'application/json' && status.startsWith('2'))
          .map(([, media]) => ({ at: `${name} ${status}`, media })),
      ),
    ]);
  };

  it('has a valid example of every request, response and event body', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv, ['uuid', 'date-time', 'date', 'binary']);
    const without: string[] = [];
    const wrong: unknown[] = [];
    for (const { at, media } of all()) {
      const examples = examplesOf(media);
      if (examples.length === 0) without.push(at);
      const validate = ajv.compile({ ...media.schema, components: document.components });
      for (const { name, value } of examples) {
        if (!validate(value))
          wrong.push([at, name, validate.errors?.map((e) => `${e.instancePath} ${e.message}`)]);
      }
    }
    expect(without).toEqual([]);
    expect(wrong).toEqual([]);
    expect(all().length).toBeGreaterThan(90);
  });

  it('declares every tag, and the headers of every response of the API', () => {
    const declared = new Set(document.tags?.map(({ name }) => name));
    const endpoints = endpointsOf(document);
    expect(endpoints.flatMap(({ tags = [] }) => tags).filter((tag) => !declared.has(tag))).toEqual([]);
    const mute = endpoints
      .filter(({ path }) => path.startsWith('/api/'))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses)
          .filter(([, response]) => !JSON.stringify(response).includes('#/components/headers/x-request-id'))
          .map(([status]) => `${operationId} ${status}`),
      );
    expect(mute).toEqual([]);
    expect(JSON.stringify(document)).toContain('#/components/headers/Idempotency-Replayed');
  });

  it('documents every event, and a 4xx response for each operation', () => {
    expect(Object.keys(document.webhooks ?? {})).toContain('campaign_completed');
    const mute = endpointsOf(document).filter(
      ({ responses }) => !Object.keys(responses).some((status) => status.startsWith('4')),
    );
    expect(mute.map((endpoint) => endpoint.operationId)).toEqual([]);
  });

  it('describes every operation', () => {
    const mute = endpointsOf(document).filter(({ description = '' }) => description.trim() === '');
    expect(mute.map((endpoint) => endpoint.operationId)).toEqual([]);
  });
});
