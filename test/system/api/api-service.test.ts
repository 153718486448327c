import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

let isReady = true;
let reader: Reader;
beforeAll(async () => {
  reader = await createReader({
    ready: () =>
      Promise.resolve([
        { name: 'database', ok: true },
        { name: 'sip', ok: isReady },
      ]),
  });
});
afterAll(() => reader.api.close());

describe('system endpoints', () => {
  it('report liveness, readiness and metrics', async () => {
    expect((await reader.get('/healthz', { key: null })).body).toEqual({ status: 'ok' });
    expect((await reader.get('/readyz', { key: null })).status).toBe(200);
    isReady = false;
    const answer = await reader.get('/readyz', { key: null });
    expect([answer.status, answer.body['message']]).toEqual([503, 'not ready: sip']);
    isReady = true;
    expect((await reader.get('/metrics', { key: null })).text).toContain('callwright_up 1');
  });

  it('serve a home page without external resources', async () => {
    const page = await reader.get('/', { key: null });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toMatch(/https?:\/\//);
    const docs = await reader.get('/docs/', { key: null });
    expect(docs.status).toBe(200);
    expect(docs.text).not.toMatch(/(src|href)="https?:/);
    const policy = String(docs.headers['content-security-policy']);
    expect(policy).toContain("connect-src 'self'");
    // No external resources, and no https links where the service is reached by http.
    expect(policy).not.toMatch(/https|upgrade-insecure|\*|swagger\.io/);
  });

  it('return a request id, the client’s own if it is valid', async () => {
    expect((await reader.get('/healthz')).headers['x-request-id']).toMatch(/^req_[0-9a-f-]{36}$/);
    expect(
      (await reader.get('/nowhere', { headers: { 'x-request-id': 'abc-1' } })).headers['x-request-id'],
    ).toBe('abc-1');
    const bad = await reader.get('/nowhere', { headers: { 'x-request-id': 'a b'.repeat(50) } });
    expect(bad.headers['x-request-id']).toMatch(/^req_/);
    expect(bad.body).toEqual({
      message: 'There is no such endpoint',
      code: 'ROUTE_NOT_FOUND',
      request_id: bad.headers['x-request-id'],
    });
  });
});
