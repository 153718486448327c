import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inlined } from '../../../src/http/pages/reference/named-schemas.ts';
import { endpointsOf, type OpenApi } from '../../../src/http/pages/reference/document.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

/** Findings of `npm run test:contract`: where the document and the service disagreed. */
const document = inlined(
  JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as OpenApi,
);
const endpoints = endpointsOf(document);
let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
});
afterAll(() => api.close());

it('every operation with parameters or a body documents 422, and one with a bounded limit 400', () => {
  const wrong = endpoints.filter(({ parameters = [], requestBody, responses }) => {
    const isBounded = parameters.some((p) => p.name === 'limit' && p.schema.maximum !== undefined);
    const isChecked = parameters.length > 0 || requestBody !== undefined;
    return (isChecked && !('422' in responses)) || (isBounded && !('400' in responses));
  });
  expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
});

it('an over-long id in a path answers 422 naming the field', async () => {
  const path = `/api/v0/agent/${'0'.repeat(300)}`;
  const answer = await api.request('DELETE', path, { key: tenant.key });
  expect([answer.status, answer.body['message']]).toEqual([
    422,
    'agent_id must be at most 200 characters long',
  ]);
});

it('a limit above its maximum answers 400, and the document has the maximum', async () => {
  const lists = endpoints.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'limit'));
  expect(lists.length).toBeGreaterThan(10);
  for (const { path, parameters = [], operationId } of lists) {
    const maximum = parameters.find(({ name }) => name === 'limit')?.schema.maximum;
    expect([operationId, typeof maximum]).toEqual([operationId, 'number']);
    if (path.includes('{')) continue;
    const answer = await api.request('GET', `${path}?limit=${Number(maximum) + 1}`, { key: tenant.key });
    expect([operationId, answer.status, answer.body['message']]).toEqual([
      operationId,
      400,
      `limit must be at most ${maximum}`,
    ]);
  }
});

it('every moment has its pattern, which takes real days and times with an offset only', async () => {
  const moments = endpoints.flatMap(({ parameters = [] }) =>
    parameters.filter(({ name }) => /^(?:start_date|end_date|since)$/.test(name)),
  );
  expect(moments.length).toBeGreaterThan(20);
  const rule = 'must be a date (YYYY-MM-DD) or an ISO 8601 time with offset';
  for (const { schema } of moments) {
    const pattern = new RegExp(schema.pattern ?? '(?!)', 'u');
    for (const good of [
      '2026-01-31',
      '2024-02-29',
      '2000-02-29',
      '2026-01-05T10:00Z',
      '2026-01-05T23:59:59.123+05:30',
    ])
      expect([good, pattern.test(good)]).toEqual([good, true]);
    for (const bad of [
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-01-05T10:00',
      '2026-01-05T24:30Z',
      '',
    ])
      expect([bad, pattern.test(bad)]).toEqual([bad, false]);
  }
  const answer = await api.request('GET', '/api/v0/calling/history?start_date=2026-02-30', {
    key: tenant.key,
  });
  expect([answer.status, answer.body['message']]).toEqual([422, `start_date ${rule}`]);
});

it('an Idempotency-Key has its length in the document', () => {
  const keys = endpoints.flatMap(({ parameters = [] }) =>
    parameters.filter(({ name }) => name === 'idempotency-key'),
  );
  expect(keys.length).toBeGreaterThan(10);
  for (const { schema } of keys) expect(schema).toMatchObject({ minLength: 1, maxLength: 255 });
});

it('the export takes a request without a body, as documented, and refuses JSON null', async () => {
  const isNeeded = (id: string): unknown =>
    endpoints.find((e) => e.operationId === id)?.requestBody?.required;
  expect([isNeeded('exportCalls'), isNeeded('placeCall')]).toEqual([false, true]);
  const path = '/api/v0/calling/history/download';
  expect((await api.request('POST', path, { key: tenant.key })).status).toBe(200);
  const answer = await api.request('POST', path, { key: tenant.key, raw: 'null' });
  expect([answer.status, answer.body['message']]).toEqual([422, 'body must be an object']);
});

it('a contact list takes its JSON fields as parts of the type application/json', async () => {
  const { agentId } = await createTestAgent(api, tenant);
  const part = (head: string, text: string): string =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const raw = [
    part('name="agent_id"', agentId),
    part('name="campaign_name"', 'Spring'),
    part('name="variables_map"\r\nContent-Type: application/json', '{"mobile_number":"Phone"}'),
    part('name="file"; filename="a.csv"\r\nContent-Type: text/csv', 'Phone,callee_name\n+14155550123,Priya'),
    '--b--\r\n',
  ].join('');
  const answer = await api.request('POST', '/api/v0/campaign/save', {
    key: tenant.key,
    raw,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  expect([answer.status, answer.body]).toEqual([
    200,
    expect.objectContaining({ list_id: expect.any(String) }),
  ]);
  const encoding = JSON.stringify(document.paths['/api/v0/campaign/save']?.['post']?.requestBody?.content);
  expect(encoding).toContain('"encoding":{"variables_map":{"contentType":"application/json"}');
});

it('a part of a form that claims to be JSON and is not answers 400 and logs no error', async () => {
  const answer = await api.request('POST', '/api/v0/external/kb', {
    key: tenant.key,
    raw: '--b\r\nContent-Disposition: form-data; name="urls"\r\nContent-Type: application/json\r\n\r\nhttps://a.b\r\n--b--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  expect([answer.status, answer.body['message']]).toEqual([
    400,
    'The request could not be read: a part of the form has the type application/json and is not JSON',
  ]);
});

it('page_variables names the list with its rule, and a broken item by its own path', async () => {
  const { agentId } = await createTestAgent(api, tenant);
  const refused = async (pageVariables: unknown): Promise<unknown> => {
    const answer = await api.request('PATCH', '/api/v0/agent/v1', {
      key: tenant.key,
      body: {
        operation: 'edit_web_sessions',
        agent_id: agentId,
        web_sessions: { page_variables: pageVariables },
      },
    });
    return [answer.status, (answer.body['errors'] as { field: string; message: string }[])[0]];
  };
  expect(await refused('callee_name')).toEqual([
    422,
    {
      field: 'web_sessions.page_variables',
      message: 'must be a list of at most 200 variable names, or null',
    },
  ]);
  expect(await refused(['callee_name', 5])).toMatchObject([422, { field: 'web_sessions.page_variables[1]' }]);
});

it('a reason to wait is documented with its known values', () => {
  const text = JSON.stringify(document.paths['/api/v0/campaign/{campaign_id}/progress']);
  for (const code of [
    'IN_DB',
    'QUEUED',
    'WINDOW_CLOSED',
    'LIMIT_REACHED',
    'INSUFFICIENT_BALANCE',
    'RETRY_SCHEDULED',
  ])
    expect(text).toContain(`${code}: `);
  expect(text).toContain('IN_DB: stored with its list, not tried yet');
});

it('each default of the retries is stated once, for single calls and for campaigns', () => {
  const schemaOf = (path: string): any =>
    Object.values(document.paths[path]?.['post']?.requestBody?.content ?? {})[0]?.schema;
  const defaults = (schema: any): unknown[] =>
    Object.values(schema.properties.call_config.properties.call_retry_config.properties).map(
      (field: any) => field.default,
    );
  expect(defaults(schemaOf('/api/v0/calling/outbound/individual'))).toEqual([0, 30, 30, 30]);
  expect(defaults(schemaOf('/api/v0/campaign/save'))).toEqual([2, 30, 30, 30]);
  expect(JSON.stringify(document)).not.toContain('x-default');
});

it('example bodies are lean, and those of outbound requests name no inbound agent and no zone of India', () => {
  const examples = endpoints.flatMap(({ operationId, requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(
      ({ example }) => [operationId, JSON.stringify(example ?? {})] as const,
    ),
  );
  const misleading = examples.filter(([, text]) => /"agent_type":"inbound"|Asia\/Kolkata/.test(text));
  expect(misleading).toEqual([]);
  const keysOf = (id: string): string[] =>
    Object.keys(JSON.parse(examples.find(([name]) => name === id)?.[1] ?? '{}') as object);
  expect(keysOf('placeCall').toSorted()).toEqual([
    'agent_id',
    'call_config',
    'custom_args_values',
    'from_number_id',
    'mobile_number',
    'name',
  ]);
  expect(keysOf('createAgent').length).toBeLessThan(12);
});
