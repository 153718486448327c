import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { startLoggingCarrier, type LoggingCarrier } from '../helpers/sip/logging-carrier.ts';
import { edit } from '../helpers/sip/phone-service.ts';
import { createAgent, place, provisionWith, whenCall } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startToolServer } from '../helpers/agents/tool-server.ts';
import { openPage, publicKeyOf, WebCaller } from '../helpers/browser/web-caller.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

const TALKING = '+12125550003';
const RINGING = '+12125550002';

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
  const carrier = await startLoggingCarrier((number) => (number === RINGING ? 'ringing' : 'talking'));
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

/** The stored end of a call. */
async function endOf({ db }: TestDatabase, callId: string): Promise<unknown> {
  const { rows } = await sql`select status, sub_status, hangup_by, attempt, next_attempt_at
    from calls where id = ${callId}`.execute(db);
  return rows[0];
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
  expect(performance.now() - from).toBeLessThan(60_000);
  await isCut;
});

it('a fenced process hangs up its calls first and exits, whatever clients do', async () => {
  const { service, database, carrier } = await start();
  const call = await place(service, await createAgent(service), '+12125550003', {});
  await whenCall(service, call, 'answered', ({ answered_at }) => answered_at !== null);
  await slowUpload(service);
  const from = performance.now();
  await sql`update nodes set fenced_at = now()`.execute(database.db);
  await eventually('the BYE', async () => (carrier.byes.size > 0 ? true : null));
  expect(service.child.exitCode).toBeNull();
  expect(await service.end('SIGCONT')).toBe(1);
  // An upload may take half an hour.
  expect(performance.now() - from).toBeLessThan(60_000);
  await expect.poll(() => service.output()).toContain('taken for dead');
  // Its own hangup is not the callee's: what the callee heard at the end is unknown.
  expect(await endOf(database, call)).toEqual({
    status: 'error',
    sub_status: 'UNKNOWN_AFTER_CRASH',
    hangup_by: 'system',
    attempt: 1,
    next_attempt_at: null,
  });
});

it('a second signal hangs up live calls of phones and browsers, which end as SERVICE_STOPPED', async () => {
  const { service, database, carrier } = await start();
  const agentId = await createAgent(service);
  const retried = { call_config: { call_retry_config: { retry_count: 3, retry_failed: 0, retry_busy: 0 } } };
  const talking = await place(service, agentId, TALKING, retried);
  await whenCall(service, talking, 'answered', ({ answered_at }) => answered_at !== null);
  const ringing = await place(service, agentId, RINGING, retried);
  await whenCall(service, ringing, 'ringing', (call) => call.call_sub_status === 'RINGING');
  const opened = await openPage(service.url, await publicKeyOf(service, agentId), agentId);
  const page = await WebCaller.connect(opened.body.ws_url, opened.body.token, service.url);
  page.speak(new Int16Array(0));
  await page.line(/^agent: /);
  const exit = service.end('SIGTERM');
  await eventually('the drain', async () => (service.output().includes('draining') ? true : null));
  expect(carrier.byes.size).toBe(0);
  service.child.kill('SIGTERM');
  expect(await exit).toBe(130);
  expect(carrier.byes.size).toBe(1);
  await page.closed();
  for (const call of [talking, ringing, opened.body.call_id]) {
    expect(await endOf(database, call)).toEqual({
      status: 'error',
      sub_status: 'SERVICE_STOPPED',
      hangup_by: 'system',
      attempt: 1,
      next_attempt_at: null,
    });
  }
  const { rows } = await sql`select count(*)::int as live from nodes`.execute(database.db);
  expect(rows).toEqual([{ live: 0 }]);
});

it('a stop queues a call again that waits for its tool before the dial', async () => {
  const cut = Promise.withResolvers<void>();
  const tool = await startToolServer(() => ({ after: cut.promise }));
  closers.push(() => tool.close());
  const { service, database, carrier } = await start({ SAFE_FETCH_ALLOW: LOOPBACK_OPEN });
  const agentId = await createAgent(service);
  await edit(service, agentId, 'edit_pre_call_tools', {
    pre_call_tools: [{ type: 'API_TOOL', name: 'may_call', method: 'GET', url: `${tool.origin}/may` }],
  });
  const call = await place(service, agentId, TALKING);
  await eventually('the tool to be called', async () => (tool.seen.length === 1 ? true : null));
  const exit = service.end('SIGTERM');
  await eventually('the drain', async () => (service.output().includes('draining') ? true : null));
  service.child.kill('SIGTERM');
  await eventually('the cut', async () => (service.output().includes('second signal') ? true : null));
  cut.resolve();
  expect(await exit).toBe(130);
  expect(carrier.invites).toEqual([]);
  expect(await endOf(database, call)).toMatchObject({ attempt: 0, hangup_by: null });
});

it('an error that nothing caught drops no call: the process takes no new ones, waits for their end and exits with code 1', async () => {
  const preload = new URL('../helpers/service/stray-preload.ts', import.meta.url).href;
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
  await expect.poll(() => service.output()).toContain('an unexpected error: no new calls');
});
