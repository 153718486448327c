import { newId } from '../../../src/shared/ids.ts';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { METHODS } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { logged } from '../../helpers/api/request-log.ts';

let api: TestApi;
let tenant: Tenant;
/** Errors that the service logged. */
const errorLines: unknown[] = [];
const log = { info() {}, warn() {}, debug() {}, error: (...line: unknown[]) => void errorLines.push(line) };
beforeAll(async () => {
  api = await createTestApi({ log: log as never });
  tenant = await createTenant(api);
});
afterAll(() => api?.close());

const inject = (
  method: string,
  url: string,
  headers: Record<string, string> = {},
  payload?: string | Buffer,
) =>
  api.server.inject({ method: method as 'GET', url, headers, ...(payload === undefined ? {} : { payload }) });

describe('401', () => {
  const PUBLIC_KEY = `cw_pub_${'x'.repeat(32)}`;
  it.each([
    ['no key', {}, 'Send the workspace key in the header X-API-KEY'],
    ['a Bearer token', { authorization: 'Bearer cw_live_x' }, 'the header Authorization is not read'],
    ['a public key', { 'x-api-key': PUBLIC_KEY }, 'this is the public key of a web page'],
    ['a wrong key', { 'x-api-key': 'cw_live_wrong' }, 'this key is wrong, or was replaced in the dashboard'],
  ])('with %s keeps its message and hints at the header', async (_case, headers, hint) => {
    const answer = await inject('GET', '/api/v0/workspace', headers);
    expect([answer.statusCode, answer.json().message]).toEqual([401, 'Invalid credentials']);
    expect(answer.json().hint).toContain(hint);
    expect(answer.json().hint).toContain('X-API-KEY');
  });

  it.each([
    ['a secret key', tenantKey, 'this is a secret workspace key, which must never be in a web page'],
    ['a wrong public key', () => PUBLIC_KEY, 'this key is wrong'],
    ['no key', () => null, "Send the agent's webcall_public_key in the header X-API-KEY"],
  ])('at an endpoint of web pages names the public key, for %s', async (_case, key, hint) => {
    for (const path of ['/api/v0/calling/webcall', '/api/v0/chat/web']) {
      const sent = key();
      const headers = { origin: 'https://shop.example', ...(sent === null ? {} : { 'x-api-key': sent }) };
      const answer = await api.request('POST', path, {
        headers,
        body: { agent_id: '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10' },
      });
      expect([path, answer.status, answer.body['message']]).toEqual([path, 401, 'Invalid credentials']);
      expect(answer.body['hint']).toContain(hint);
    }
  });

  function tenantKey(): string {
    return tenant.key;
  }
});

describe('an unknown method', () => {
  it('answers 405 with Allow at known paths and 404 elsewhere, and logs no error', async () => {
    errorLines.length = 0;
    const wrong: unknown[] = [];
    for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'CONNECT'].includes(name))) {
      const known = await inject(method, '/api/v0/agent/all?limit=1', { 'x-api-key': tenant.key });
      if (known.statusCode !== 405 || known.headers['allow'] !== 'GET, HEAD')
        wrong.push([method, known.statusCode, known.headers['allow']]);
      const unknown = await inject(method, '/api/v0/no/such/path', { 'x-api-key': tenant.key });
      if (unknown.statusCode !== 404) wrong.push([method, unknown.statusCode]);
    }
    expect(wrong).toEqual([]);
    expect(errorLines).toEqual([]);
  });

  it('answers 405 with the methods of the path that has no parameter there, and not those of its neighbour', async () => {
    for (const method of ['OPTIONS', 'GET', 'DELETE', 'PATCH']) {
      const path = `/api/v0/agent/${newId()}/test-cases/run`;
      const answer = await inject(method, path, { 'x-api-key': tenant.key });
      expect([method, answer.statusCode, answer.headers['allow']]).toEqual([method, 405, 'POST']);
    }
  });

  it('answers 405 for QUERY with and without a body, and names the methods', async () => {
    for (const payload of [undefined, '{"a":1}']) {
      const headers: Record<string, string> =
        payload === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await inject('QUERY', '/api/v0/calling/outbound/individual', headers, payload);
      expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST']);
      expect(answer.json()).toMatchObject({
        message: 'This path does not take QUERY; it takes POST',
        code: 'METHOD_NOT_ALLOWED',
        allow: ['POST'],
      });
    }
  });

  it('that the HTTP parser does not know answers the same', async () => {
    await api.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.server.server.address() as AddressInfo;
    const send = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        let answer = '';
        const socket = connect(port, '127.0.0.1', () => socket.write(text));
        socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
        socket.on('error', reject).on('close', () => resolve(answer));
      });
    const known = await send('FETCH /api/v0/agent/all HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(known).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(known).toContain('\r\nallow: GET, HEAD\r\n');
    expect(known).toContain('"message":"This path does not take FETCH; it takes GET, HEAD"');
    expect(await send('FETCH /nowhere HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 404 /);
    const noise = await send('\u0016\u0003\u0001 this is no request\r\n\r\n');
    expect(noise).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(noise).toMatch(/"code":"MALFORMED_REQUEST","request_id":"req_/);
  });
});

describe('404', () => {
  it.each([
    ['/api/v0/agent/all/', '/api/v0/agent/all'],
    ['/api/v0//agent/all', '/api/v0/agent/all'],
    ['/agent/all', '/api/v0/agent/all'],
    ['/api/v1/agent/all', '/api/v0/agent/all'],
    ['/v0/calling/history/', '/api/v0/calling/history'],
  ])('at %s names %s', async (path, meant) => {
    const answer = await inject('GET', path, { 'x-api-key': tenant.key });
    expect([answer.statusCode, answer.json().message]).toEqual([
      404,
      `There is no such endpoint; did you mean ${meant}?`,
    ]);
  });

  it('answers an id of 150 characters like any unknown id, and names the field of a longer one', async () => {
    const { key } = tenant;
    const long = await api.request('GET', `/api/v0/agent/${'a'.repeat(150)}`, { key });
    expect([long.status, long.body['message']]).toEqual([404, 'Agent not found']);
    const longer = await api.request('GET', `/api/v0/agent/${'a'.repeat(5000)}`, { key });
    expect([longer.status, longer.body['message']]).toEqual([
      422,
      'agent_id must be at most 200 characters long',
    ]);
  });
});

describe('415', () => {
  it('names the type that the endpoint takes', async () => {
    const ask = async (path: string, type: string): Promise<unknown[]> => {
      const { statusCode, json } = await inject(
        'POST',
        path,
        { 'x-api-key': tenant.key, 'content-type': type },
        'a=1',
      );
      return [statusCode, json().message];
    };
    const form = 'multipart/form-data with its boundary, as the HTTP client sets it';
    expect(await ask('/api/v0/campaign/save', 'application/x-www-form-urlencoded')).toEqual([
      415,
      `Content-Type must be ${form}`,
    ]);
    expect(await ask('/api/v0/external/kb', 'text/plain')).toEqual([
      415,
      `Content-Type must be application/json or ${form}`,
    ]);
    expect(await ask('/api/v0/dnc', 'text/plain')).toEqual([415, 'Content-Type must be application/json']);
    expect(await ask('/api/v0/campaign/save', 'multipart/form-data')).toEqual([
      400,
      'The request could not be read: Content-Type multipart/form-data has no boundary; let the HTTP client set this header by itself',
    ]);
  });

  it('says that a compressed body is not read', async () => {
    const zipped = gzipSync('{"mobile_numbers":["+14155550123"]}');
    const headers = { 'x-api-key': tenant.key, 'content-type': 'application/json' };
    for (const more of [{ 'content-encoding': 'gzip' }, {}]) {
      const answer = await inject('POST', '/api/v0/dnc', { ...headers, ...more }, zipped);
      expect([answer.statusCode, answer.json().message]).toEqual([
        415,
        'The body is compressed (gzip); send it uncompressed, without Content-Encoding',
      ]);
    }
  });
});

describe('JSON', () => {
  const post = (raw: string | Buffer, headers: Record<string, string> = {}) =>
    api.request('POST', '/api/v0/dnc', { key: tenant.key, raw, headers });

  it.each([
    ['{\n  "mobile_numbers": ["+14155550123",]\n}', 'a value is expected, not "]"', 2, 37],
    ['{"a": {"__proto__": {}}}', 'the key __proto__ is not allowed', 1, 8],
    ['{"a": 1', 'the text ends inside an object', 1, 8],
  ])('that is broken answers 400 with reason and place: %s', async (raw, reason, line, column) => {
    const answer = await post(raw);
    expect([answer.status, answer.body['code']]).toEqual([400, 'MALFORMED_JSON']);
    expect(answer.body['message']).toContain(`${reason}, at line ${line}, column ${column} (byte `);
    expect(answer.body['position']).toMatchObject({ line, column });
  });

  it('that is not UTF-8 answers 400 with the byte', async () => {
    const answer = await post(
      Buffer.concat([Buffer.from('{"a": "'), Buffer.from([0xff]), Buffer.from('"}')]),
    );
    expect(answer.body['message']).toBe('The request body is not valid JSON: it is not UTF-8 at byte 7');
  });

  it('with a duplicate key names it in a header and the request log, and is refused on request', async () => {
    const raw = '{"mobile_numbers": ["+14155550111"],\n "mobile_numbers": ["+14155550123"]}';
    const answer = await post(raw);
    expect(answer.headers['x-duplicate-keys']).toBe('mobile_numbers at line 2 column 2 (byte 38)');
    const entry = await logged(api, tenant, 'POST', '/api/v0/dnc', { raw });
    expect(entry.notices).toEqual([
      'The key mobile_numbers occurs again at line 2, column 2 (byte 38); the last value counted',
    ]);
    const refused = await post(raw, { prefer: 'handling=strict' });
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      'The request body is not valid JSON: the key "mobile_numbers" occurs twice, at line 2, column 2 (byte 38)',
    ]);
  });

  it('that is too large answers 413 with the limit', async () => {
    const answer = await post(`"${'x'.repeat(1_048_576)}"`);
    expect([answer.status, answer.body['message'], answer.body['limit_bytes']]).toEqual([
      413,
      'The request body is too large: at most 1,048,576 bytes',
      1_048_576,
    ]);
  });
});

describe('an unknown query parameter', () => {
  const get = (query: string, headers: Record<string, string> = {}) =>
    api.request('GET', `/api/v0/calling/history${query}`, { key: tenant.key, headers });

  it('is named in a header with the parameter that was meant, and the answer stays', async () => {
    const answer = await get('?call_status=done&page=2&%E2%82%AC=1&limit=5');
    expect(answer.status).toBe(200);
    expect(answer.headers['x-unknown-parameters']).toBe(
      'call_status (did you mean status?), page (did you mean cursor?), %E2%82%AC',
    );
    expect((await get('?status=completed')).headers['x-unknown-parameters']).toBeUndefined();
  });

  it('is named at endpoints without parameters, and in the request log', async () => {
    const entry = await logged(api, tenant, 'GET', '/api/v0/workspace/numbers?limit=5', {});
    expect(entry.notices).toEqual(['The endpoint has no parameter limit and ignored it']);
  });

  it('is refused with 422 for a client that prefers strict handling', async () => {
    const answer = await get('?call_status=done', { prefer: 'respond-async, handling=strict' });
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      'call_status is not a parameter here; did you mean status?',
    ]);
  });
});

describe('429', () => {
  it('names the limit and its kind', async () => {
    const limited = await createTestApi({ rateLimits: { read: 1, write: 0, dial: 0, authFailures: 1 } });
    const { key } = await createTenant(limited);
    await limited.request('GET', '/api/v0/workspace', { key });
    const answer = await limited.request('GET', '/api/v0/workspace', { key });
    expect([answer.status, answer.body['limit_kind']]).toEqual([429, 'read']);
    expect(answer.body['message']).toMatch(
      /^Too many requests that read: at most 1 a minute for a workspace; try again in \d+ s$/,
    );
    await limited.request('GET', '/api/v0/workspace', { key: 'wrong' });
    const blocked = await limited.request('GET', '/api/v0/workspace', { key: 'wrong' });
    expect(blocked.body).toMatchObject({
      limit_kind: 'wrong_keys',
      message: expect.stringMatching(/^Too many wrong keys from this address: at most 1 a minute; try again/),
    });
    await limited.close();
  });
});
