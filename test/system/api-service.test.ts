import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReader, type Reader } from '../helpers/reader.ts';

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

describe('the service itself', () => {
  it('says how it is', async () => {
    expect((await reader.get('/healthz', { key: null })).body).toEqual({ status: 'ok' });
    expect((await reader.get('/readyz', { key: null })).status).toBe(200);
    isReady = false;
    const answer = await reader.get('/readyz', { key: null });
    expect([answer.status, answer.body['message']]).toEqual([503, 'not ready: sip']);
    isReady = true;
    expect((await reader.get('/metrics', { key: null })).text).toContain('callwright_up 1');
  });

  it('has a page that loads nothing from anywhere', async () => {
    const page = await reader.get('/', { key: null });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toMatch(/https?:\/\//);
    const docs = await reader.get('/docs/', { key: null });
    expect(docs.status).toBe(200);
    expect(docs.text).not.toMatch(/(src|href)="https?:/);
    const policy = String(docs.headers['content-security-policy']);
    expect(policy).toContain("connect-src 'self'");
    // Nothing from elsewhere, and no https where the service itself is reached without.
    expect(policy).not.toMatch(/https|upgrade-insecure|\*|swagger\.io/);
  });

  it('gives every answer a request id, the client’s own where it is a sane one', async () => {
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
