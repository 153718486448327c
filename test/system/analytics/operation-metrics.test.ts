import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { startLoggingCarrier, type LoggingCarrier } from '../../helpers/sip/logging-carrier.ts';
import { createAgent, place, provisionWith, whenOver } from '../../helpers/service/scenario.ts';
import { eventually, freeSipPort, startService, type Service } from '../../helpers/service/service.ts';

let database: TestDatabase;
let carrier: LoggingCarrier;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  carrier = await startLoggingCarrier(() => 'busy');
  service = await startService({
    env: { DATABASE_URL: database.url },
    provision: provisionWith({
      trunks: [
        { name: 'carrier', uri: `sip:127.0.0.1:${carrier.port};transport=udp` },
        { name: 'gone', uri: `sip:127.0.0.1:${await freeSipPort()};transport=tcp` },
      ],
      trunk: 'carrier',
    }),
  });
});
afterAll(async () => {
  await service?.dispose();
  await carrier?.close();
  await database?.close();
});

const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();

it('trunks that are down are in the metrics and in readiness, which stays ready', async () => {
  await eventually('the probes', async () => {
    const text = await metrics();
    return text.includes('callwright_trunk_up{trunk="carrier",check="reachable"} 1') &&
      text.includes('callwright_trunk_up{trunk="gone",check="reachable"} 0')
      ? true
      : null;
  });
  const readiness = async (): Promise<unknown> => {
    const response = await fetch(`${service.url}/readyz`);
    return { code: response.status, ...((await response.json()) as object) };
  };
  await expect.poll(readiness, { timeout: 60_000 }).toMatchObject({
    code: 200,
    checks: expect.arrayContaining([
      { name: 'trunks', ok: true, detail: expect.stringContaining('trunk gone does not respond') },
    ]),
  });
});

it('outcomes, refused keys, latency, pools and backlog are in the metrics', async () => {
  const agent = await createAgent(service);
  const call = await place(service, agent, '+12125550001', {
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  expect(await whenOver(service, call)).toMatchObject({ call_sub_status: 'BUSY' });
  await fetch(`${service.url}/api/v0/workspace`, { headers: { 'x-api-key': 'wrong' } });
  // An attempt is counted after its end is stored.
  await expect.poll(metrics).toMatch(/callwright_attempts_total\{status="\w+",sub_status="BUSY"\} 1/);
  await expect.poll(metrics).toContain('callwright_auth_failures_total 1');
  await expect.poll(metrics).toMatch(/callwright_http_seconds_count\{class="dial",status="2xx"\} 1/);
  await expect.poll(metrics).toMatch(/callwright_pool_connections\{pool="api",state="waited_for"\} 0/);
  await expect.poll(metrics).toContain('callwright_webhooks_due 0');
  await expect.poll(metrics).toContain('callwright_oldest_due_call_seconds 0');
});
