import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { registerRecordingMetrics } from '../../../src/app/metrics.ts';
import { fixedDocument } from '../../../src/http/pages/documents.ts';
import { createTestApi, type TestApi } from '../../helpers/api/api.ts';
import { IS_NIGHTLY } from '../../helpers/service/nightly.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const DOCUMENTS = ['/openapi.json', '/api.md', '/llms.txt', '/docs/json', '/docs/yaml'];

it('serves every document as a fixed one: the same bytes and the hash of them as its ETag', async () => {
  for (const [at, url] of DOCUMENTS.entries()) {
    // Requests are counted for a /24.
    const remoteAddress = `198.51.${at}.1`;
    const first = await api.server.inject({ url, remoteAddress });
    expect([url, first.statusCode]).toEqual([url, 200]);
    const hash = createHash('sha256').update(first.rawPayload).digest('base64url').slice(0, 22);
    for (let i = 0; i < (IS_NIGHTLY ? 40 : 4); i += 1) {
      const again = await api.server.inject({ url, remoteAddress });
      expect([again.payload === first.payload, again.headers['etag']]).toEqual([true, `"${hash}"`]);
    }
  }
});

it('builds a fixed document once, at the first request', async () => {
  const build = vi.fn(() => 'text');
  const app = fastify();
  app.get('/fixed', fixedDocument('text/plain', build));
  await app.ready();
  expect(build).not.toHaveBeenCalled();
  for (let i = 0; i < 40; i += 1) expect((await app.inject('/fixed')).payload).toBe('text');
  expect(build).toHaveBeenCalledTimes(1);
  await app.close();
});

it('answers 304 to a client that has the document', async () => {
  const { headers } = await api.server.inject('/openapi.json');
  const again = await api.server.inject({
    url: '/openapi.json',
    headers: { 'if-none-match': String(headers['etag']) },
  });
  expect([again.statusCode, again.payload]).toEqual([304, '']);
  const other = await api.server.inject({ url: '/openapi.json', headers: { 'if-none-match': '"x"' } });
  expect(other.statusCode).toBe(200);
});

it('sends the document compressed to a client that takes gzip', async () => {
  const remoteAddress = '203.0.113.50';
  const get = (encoding: string) =>
    api.server.inject({ url: '/api.md', remoteAddress, headers: { 'accept-encoding': encoding } });
  const [plain, zipped, refused] = [await get('identity'), await get('gzip, br'), await get('gzip;q=0')];
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.payload);
  expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  expect([refused.headers['content-encoding'], refused.payload]).toEqual([undefined, plain.payload]);
});

it('answers 429 to an address that asks for open documents too often, and serves others and probes', async () => {
  const get = async (url: string, remoteAddress: string): Promise<number> =>
    (await api.server.inject({ url, remoteAddress })).statusCode;
  const answers = [];
  for (let n = 0; n < 110; n += 1) answers.push(await get(DOCUMENTS[n % 3] ?? '', '192.0.2.60'));
  expect(answers.filter((status) => status === 429)).toHaveLength(10);
  expect(await get('/metrics', '192.0.2.60')).toBe(429);
  expect(await get('/healthz', '192.0.2.60')).toBe(200);
  expect(await get('/api.md', '198.18.0.61')).toBe(200);
  api.clock.advance(1_000);
  expect(await get('/api.md', '192.0.2.60')).toBe(200);
});

it('reads the gauges of recordings once for scrapes within seconds', async () => {
  const registry = new Registry();
  let reads = 0;
  const health = {
    failures: () => Promise.resolve({ count: 0, agoMs: null }),
    freeBytes: async () => {
      reads += 1;
      return 7;
    },
  };
  registerRecordingMetrics(registry, health, api.db);
  const texts = await Promise.all(Array.from({ length: 40 }, () => registry.metrics()));
  expect(reads).toBe(1);
  expect(texts.every((text) => text.includes('callwright_recordings_free_bytes 7'))).toBe(true);
});
