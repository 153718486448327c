import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startTcpProxy, type TcpProxy } from '../helpers/sip/tcp-proxy.ts';

/** More than the connections of the API's pool. */
const REQUESTS = 40;
const STOP_SECONDS = 6;

let database: TestDatabase;
let proxy: TcpProxy;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  const { port, hostname } = new URL(database.url);
  proxy = await startTcpProxy({ port: Number(port), host: hostname });
  const proxied = new URL(database.url);
  proxied.port = String(proxy.port);
  service = await startService({
    env: { DATABASE_URL: proxied.href, STOP_SECONDS: String(STOP_SECONDS) },
    provision: provisionWith({}),
  });
});
afterAll(async () => {
  await proxy?.close();
  await service?.dispose();
  await database?.close();
});

const readWorkspace = (): Promise<{ status: number; body: any }> =>
  service.request('GET', '/api/v0/workspace');
const lastBeat = async (): Promise<number> => {
  const { rows } = await sql<{ at: Date }>`select beat_at as at from nodes`.execute(database.db);
  return rows[0]?.at.getTime() ?? 0;
};

it('a black-holed database costs a request at most 10 s; heartbeat and requests return with it', async () => {
  const warm = await Promise.all(Array.from({ length: REQUESTS }, readWorkspace));
  expect(new Set(warm.map(({ status }) => status))).toEqual(new Set([200]));

  proxy.hang();
  const from = performance.now();
  const failed = await Promise.all(
    Array.from({ length: REQUESTS }, async () => ({
      ...(await readWorkspace()),
      ms: performance.now() - from,
    })),
  );
  for (const { status, body, ms } of failed) {
    expect(status).toBe(503);
    expect(body.message).toBe('The service is not ready. Please try again shortly.');
    expect(ms).toBeLessThan(11_000);
  }
  expect((await service.request('GET', '/healthz')).status).toBe(200);

  const before = await lastBeat();
  proxy.resume();
  const back = performance.now();
  await eventually('a request to succeed', async () =>
    (await readWorkspace()).status === 200 ? true : null,
  );
  await eventually('a heartbeat', async () => ((await lastBeat()) > before ? true : null));
  expect(performance.now() - back).toBeLessThan(15_000);
});

it('a stop ends within its deadline while the database hangs', async () => {
  proxy.hang();
  // The pollers have queries in progress.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const from = performance.now();
  await service.end('SIGTERM');
  expect(performance.now() - from).toBeLessThan(5_000 + STOP_SECONDS * 1000 + 4_000);
});
