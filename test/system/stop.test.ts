import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { startLoggingCarrier, type LoggingCarrier } from '../helpers/logging-carrier.ts';
import { createAgent, place, provisionWith, whenCall } from '../helpers/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(env: Record<string, string> = {}): Promise<{
  service: Service;
  database: TestDatabase;
  carrier: LoggingCarrier;
}> {
  const database = await createTestDatabase();
  closers.push(() => database.close());
  const carrier = await startLoggingCarrier(() => 'talking');
  closers.push(() => carrier.close());
  const service = await startService({
    env: { DATABASE_URL: database.url, ...env },
    provision: provisionWith({
      trunks: [{ name: 'carrier', uri: `sip:127.0.0.1:${carrier.port};transport=udp` }],
      trunk: 'carrier',
    }),
  });
  closers.push(() => service.dispose());
  return { service, database, carrier };
}

/** Opens a contact list upload that sends one byte every 100 ms and never ends. */
async function slowUpload(service: Service): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  closers.push(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    [
      'POST /api/v0/campaign/upload-csv HTTP/1.1',
      'Host: 127.0.0.1',
      `X-API-Key: ${service.key}`,
      'Content-Type: multipart/form-data; boundary=edge',
      'Content-Length: 100000000',
      '',
      '--edge',
      'Content-Disposition: form-data; name="file"; filename="contacts.csv"',
      'Content-Type: text/csv',
      '',
      'mobile_number,name',
      '',
    ].join('\r\n'),
  );
  const timer = setInterval(() => socket.write('1'), 100);
  socket.once('close', () => clearInterval(timer));
  // What it writes after the cut is answered by a reset.
  socket.on('error', () => undefined);
  // The service has read the head of the request.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(socket.destroyed).toBe(false);
  return socket;
}

it('a stop cuts clients that never finish their request, and exits with code 0', async () => {
  const { service } = await start();
  const upload = await slowUpload(service);
  const isCut = new Promise((resolve) => upload.once('close', resolve));
  const from = performance.now();
  // An upload may take half an hour: the stop does not wait for its end.
  expect(await service.end('SIGTERM')).toBe(0);
  expect(performance.now() - from).toBeLessThan(10_000);
  await isCut;
});

it('a fenced process hangs up its calls first and exits, whatever clients do', async () => {
  const { service, database, carrier } = await start();
  const call = await place(service, await createAgent(service), '+12125550003', {});
  await whenCall(service, call, 'answered', ({ answered_at }) => answered_at !== null);
  await slowUpload(service);
  const from = performance.now();
  await sql`update nodes set fenced_at = now()`.execute(database.db);
  await eventually('the BYE', async () => (carrier.byes.size > 0 ? true : null), 20_000);
  expect(performance.now() - from).toBeLessThan(4_000);
  expect(service.child.exitCode).toBeNull();
  expect(await service.end('SIGCONT')).toBe(1);
  expect(performance.now() - from).toBeLessThan(15_000);
  expect(service.output()).toContain('taken for dead');
});

it('an error that nothing caught drops no call: the process takes no new ones, waits for their end and exits with code 1', async () => {
  const preload = new URL('../helpers/stray-preload.ts', import.meta.url).href;
  const { service, carrier } = await start({ NODE_OPTIONS: `--import ${preload}` });
  const call = await place(service, await createAgent(service), '+12125550003', {});
  await whenCall(service, call, 'answered', ({ answered_at }) => answered_at !== null);
  service.child.kill('SIGUSR2');
  await eventually('the process to drain', async () =>
    (await service.request('GET', '/readyz')).status === 503 ? true : null,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect([service.child.exitCode, carrier.byes.size]).toEqual([null, 0]);
  expect((await service.request('POST', `/api/v0/calling/${call}/hangup`, {})).status).toBe(200);
  expect(await service.end('SIGCONT')).toBe(1);
  expect(carrier.byes.size).toBe(1);
  expect(service.output()).toContain('an unexpected error: no new calls');
});
