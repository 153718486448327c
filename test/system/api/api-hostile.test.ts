import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  minimalAgent,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant));
});
afterAll(() => api.close());

const BODIES: ['POST' | 'PATCH', string][] = [
  ['POST', '/api/v0/public/agent'],
  ['PATCH', '/api/v0/agent/v1'],
  ['POST', '/api/v0/calling/outbound/individual'],
  ['POST', '/api/v0/calling/v2/outbound/individual'],
  ['PATCH', '/api/v0/public/agent/x'],
  ['PATCH', '/api/v0/campaign/terminate'],
  ['POST', '/api/v0/dnc'],
  ['POST', '/api/v0/number-pool'],
  ['POST', '/api/v0/workspace/sub'],
  ['PATCH', '/api/v0/workspace/sub/credit-balances'],
];
const send = (method: 'POST' | 'PATCH', path: string, raw: string | Buffer, headers = {}): Promise<Answer> =>
  api.request(method, path, { key: tenant.key, raw, headers });
const hasName = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'name');
const expectError = (answer: Answer): void => {
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(typeof answer.body['message']).toBe('string');
};

const NOT_JSON: [string, string | Buffer][] = [
  ['half an object', '{"agent_name":'],
  ['single quotes', "{'a':1}"],
  ['a trailing comma', '{"a":1,}'],
  ['a comment', '{"a":1/*x*/}'],
  ['NaN', '{"a":NaN}'],
  ['a leading zero', '{"a":01}'],
  ['a bare word', 'hello'],
  ['two values', '{} {}'],
  ['a raw line end in a string', '{"a":"\n"}'],
  ['a bad escape', '{"a":"\\x41"}'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ['a prototype', '{"__proto__":{"x":1}}'],
  ['a constructor', '{"constructor":{"prototype":{"x":1}}}'],
  ['100,000 open brackets', '['.repeat(100_000)],
  ['100,000 nested arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['nested objects', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`],
];
const NOT_A_REQUEST: [string, string][] = [
  ['null', 'null'],
  ['a number', '5'],
  ['a huge number', '1e400'],
  ['a string', '"x"'],
  ['an array', '[]'],
  ['an empty object', '{}'],
  ['nothing', ''],
  ['an object after a byte order mark', '\uFEFF{}'],
  ['duplicate keys', '{"agent_name":"a","agent_name":5}'],
];

describe('bodies', () => {
  describe.each(BODIES)('%s %s', (method, path) => {
    it.each(NOT_JSON)('answers 400 to %s', async (_what, raw) => {
      const answer = await send(method, path, raw);
      expect([answer.status, answer.body['code']]).toEqual([400, 'MALFORMED_JSON']);
      expectError(answer);
    });
    it.each(NOT_A_REQUEST)('answers 422 to %s', async (_what, raw) => {
      const answer = await send(method, path, raw);
      expect([answer.status, answer.body['code']]).toEqual([422, 'VALIDATION_FAILED']);
      expectError(answer);
    });
    it('answers 415 to other types and 413 to too much', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/xml',
        'nonsense',
      ]) {
        expect((await send(method, path, '{}', { 'content-type': type })).status).toBe(415);
      }
      const huge = await send(method, path, `{"agent_name":"${'x'.repeat(1_100_000)}"}`);
      expect([huge.status, huge.body['code']]).toEqual([413, 'BODY_TOO_LARGE']);
      expect(
        (await send(method, path, '{}', { 'content-type': 'application/json; charset=utf-8' })).status,
      ).toBe(422);
    });
    it('handles arbitrary JSON', async () => {
      await fc.assert(
        // A name alone makes a pool of numbers.
        fc.asyncProperty(
          fc.jsonValue().filter((value) => !hasName(value)),
          async (value) => {
            const text = JSON.stringify(value);
            // Prototype keys are rejected before any other check.
            const refused = /"(__proto__|constructor)":/.test(text) ? [400, 422] : [422];
            expect(refused).toContain((await send(method, path, text)).status);
          },
        ),
        { numRuns: 60 },
      );
    });
  });
});

/** Strings that have broken programs: quotes, markup, templates, formulas, directions, joiners, paths, zalgo. */
const TEXTS = [
  "Robert'); DROP TABLE agents;--",
  '" OR 1=1 --',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '{{callee_name}} @{{callee_name}} ${7*7} #{7*7} <%= 7*7 %>',
  "=cmd|'/C calc'!A0",
  '\u202Eright to left\u202C \u200B\u200D\uFEFF',
  '👩‍👩‍👧‍👦🏳️‍🌈 ﷽ Ω≈ç√ 田中さん हिन्दी தமிழ்',
  'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  '../../../../../etc/passwd%00',
  '%s%x%n %d',
  'line\r\nBcc: x',
  '\u0001\u001b[31m\u007f',
  '\uFFFE\uFFFF',
  'null',
  'undefined',
  'true',
  '1e309',
  ' ',
  '\t\n',
];

describe('strings', () => {
  it.each(TEXTS)('%j is returned unchanged', async (text) => {
    const created = await api.request('POST', '/api/v0/public/agent', {
      key: tenant.key,
      body: {
        ...minimalAgent(),
        agent_name: text,
        intro_message: text,
        task: text,
        faq: text,
        sample_conversations: text,
      },
    });
    expect(created.status).toBe(200);
    const id = (created.body['data'] as { id: string }).id;
    const read = await api.request('GET', `/api/v0/agent/${id}`, { key: tenant.key });
    expect(read.body['agents']).toMatchObject({ agent_display_name: text });
    const call = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      body: {
        name: text,
        mobile_number: '+14155550002',
        agent_id: agentId,
        from_number_id: tenant.numberId,
        custom_args_values: { note: text, [text]: 'x' },
      },
    });
    expect(call.status).toBe(200);
    const callId = (call.body['data'] as { call_id: string }).call_id;
    const details = await api.request('GET', `/api/v0/calling/call-details?id=${callId}`, {
      key: tenant.key,
    });
    expect(details.body['data']).toMatchObject({
      callee_name: text,
      custom_args_values: { note: text, [text]: 'x' },
    });
  });

  it.each([
    ['agent_name', { agent_name: 'a\0b' }],
    ['task', { task: '\ud800' }],
    ['faq', { faq: 'x\udc00' }],
    ['call_config.call_time.timezone', { call_config: { call_time: { timezone: 'A\0' } } }],
    ['custom_variables[0]', { custom_variables: ['\0'] }],
  ])('422 names %s for an unstorable string', async (field, change) => {
    const answer = await api.request('POST', '/api/v0/public/agent', {
      key: tenant.key,
      body: { ...minimalAgent(), ...change },
    });
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toBe(
      `${field} holds NUL or an unpaired surrogate, which cannot be stored`,
    );
  });

  it.each(['day', 'a\nb', 'a\u2028b'])('422 for a non-string value under the key %j', async (key) => {
    const answer = await send(
      'POST',
      '/api/v0/calling/outbound/individual',
      JSON.stringify({
        name: 'x',
        mobile_number: '+14155550002',
        agent_id: agentId,
        from_number_id: tenant.numberId,
        custom_args_values: { [key]: { nested: true } },
      }),
    );
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      `custom_args_values.${key} must be a string`,
    ]);
  });

  it('422 for an unstorable key', async () => {
    const answer = await send(
      'POST',
      '/api/v0/calling/outbound/individual',
      `{"name":"x","mobile_number":"+14155550002","agent_id":"${agentId}","from_number_id":"${tenant.numberId}","custom_args_values":{"a\\u0000":"x"}}`,
    );
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain('custom_args_values holds NUL');
  });
});

describe('URLs', () => {
  it.each([
    '/api/v0/agent/%00',
    '/api/v0/agent/%ff',
    '/api/v0/agent/%',
    '/api/v0/agent/%2e%2e%2f',
    '/api/v0//agent/all',
    '/api/v0/agent/all/',
    '/api/v0/AGENT/all',
    '/api/v1/agent/all',
    '/api/v0',
    `/api/v0/agent/${'a'.repeat(5000)}`,
    '/api/v0/calling/history?limit=%00',
    '/api/v0/calling/call-details?id=%00',
    '/api/v0/calling/call-details?id=%F0%9F',
    '/api/v0/agent/voices?language=%00',
    '/recordings/%00.wav',
    '/voices/%00/preview/en-US.wav',
  ])('%s answers with an error body', async (path) => {
    const answer = await api.request('GET', path, { key: tenant.key });
    expectError(answer);
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('unknown query keys are ignored', async () => {
    expect(
      (await api.request('GET', '/api/v0/agent/all?x=1&__proto__[y]=2', { key: tenant.key })).status,
    ).toBe(200);
  });
});
