import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { randomToken } from '../../src/shared/ids.ts';
import { answerAndLeave, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';
import { IS_NIGHTLY } from '../helpers/service/nightly.ts';
import type { Probe } from '../helpers/service/probed-service.ts';
import { createAgent, place, provisionWith, subscribe } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

const CREDITS = 10_000;
const WARM_CALLS = 150;
const CALLS = IS_NIGHTLY ? 1000 : 400;
/** Parallel calls: about 20 calls per second. */
const AT_ONCE = 9;
const TALK_MS = 300;
const COLLECT_PRELOAD = new URL('../helpers/service/collect-preload.ts', import.meta.url).href;

let service: Service;
let peer: SipPeer;
let receiver: WebhookReceiver;
let database: Client;
let had: { answered: number; ended: number };
let agentId = '';

beforeAll(async () => {
  const name = `soak_${randomToken(12).toLowerCase()}`;
  const { url } = inject('postgres');
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const databaseUrl = url.replace(/[^/]+$/, name);
  receiver = await startWebhookReceiver();
  peer = await startSipPeer();
  had = answerAndLeave(peer, TALK_MS);
  service = await startService({
    program: 'test/helpers/service/probed-service.ts',
    provision: provisionWith({
      trunks: [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
      trunk: 'peer',
      credits: CREDITS,
    }),
    env: {
      DATABASE_URL: databaseUrl,
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
      LOG_LEVEL: 'warn',
      // Small heaps and arenas, and no garbage of other threads, so that growth of the resident size indicates a leak.
      NODE_OPTIONS: `--max-semi-space-size=2 --max-old-space-size=128 --import ${COLLECT_PRELOAD}`,
      MALLOC_ARENA_MAX: '2',
      PROBED_PROVIDERS: JSON.stringify({ vad: 'auto', stt: 'fake', llm: 'fake', tts: 'fake:ttsMs=20' }),
    },
  });
  agentId = await createAgent(service);
  await subscribe(service, agentId, receiver.url);
  database = new Client({ connectionString: databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await service?.dispose();
  await peer?.stop();
  await receiver?.close();
});

const count = async (sql: string): Promise<number> =>
  Number((await database.query<{ n: string }>(`select (${sql})::text as n`)).rows[0]?.n);

const openCalls = (): Promise<number> =>
  count(`select count(*) from calls where status not in ('completed', 'failed', 'error', 'cancelled')`);
const openDeliveries = (): Promise<number> => count(`select count(*) from deliveries where state = 'due'`);

/** Places `calls` calls, `AT_ONCE` in parallel, and waits until all have ended and their events are delivered. */
async function run(calls: number): Promise<void> {
  let placed = 0;
  const before = had.ended;
  const placing = async (): Promise<void> => {
    while (placed < calls) {
      placed++;
      await place(service, agentId, `+1415555${String(1000 + (placed % 9000))}`);
      while (placed - (had.ended - before) >= AT_ONCE) await pause(5);
    }
  };
  await Promise.all(Array.from({ length: 4 }, placing));
  await eventually('all calls to end', async () => ((await openCalls()) === 0 ? true : null));
  await eventually('all events to be delivered', async () => ((await openDeliveries()) === 0 ? true : null));
}
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const probe = (): Promise<Probe> =>
  new Promise((resolve) => {
    service.child.once('message', (message) => resolve(message as Probe));
    service.child.send('probe');
  });

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** SIP transactions linger for 32 s (RFC 3261 section 17), idle database connections for 30 s. */
const SETTLE_MS = 36_000;

const EVENTS = [
  'call_started',
  'call_ringing',
  'call_ongoing',
  'call_completed',
  'recording_completed',
  'all_processing_completed',
];

describe(`${CALLS} short calls`, { timeout: 600_000 }, () => {
  const held: Record<'idle' | 'warm' | 'after', Probe | null> = { idle: null, warm: null, after: null };
  let freeCalls = 0;
  let callsPerSecond = 0;

  beforeAll(async () => {
    held.idle = await probe();
    freeCalls = await gauge('callwright_free_calls');
    await run(WARM_CALLS);
    held.warm = await probe();
    const startedAt = Date.now();
    await run(CALLS - WARM_CALLS);
    callsPerSecond = ((CALLS - WARM_CALLS) * 1000) / (Date.now() - startedAt);
    await pause(SETTLE_MS);
    held.after = await probe();
    console.log(`soak: ${callsPerSecond.toFixed(1)} calls/s`, JSON.stringify(held));
  }, 600_000);

  it('all complete and are charged once each', async () => {
    expect(had).toEqual({ answered: CALLS, ended: CALLS });
    const { rows: ends } = await database.query(
      'select status, sub_status, attempt, count(*)::int as n from calls group by 1, 2, 3',
    );
    expect(ends).toEqual([{ status: 'completed', sub_status: 'USER_LEFT', attempt: 1, n: CALLS }]);
    const { rows: attempts } = await database.query(
      'select status, sip_code, count(*)::int as n from call_attempts group by 1, 2',
    );
    expect(attempts.reduce((sum, row) => sum + Number(row.n), 0)).toBe(CALLS);
    expect(new Set(attempts.map((row) => row.status))).toEqual(new Set(['ended']));
    const { rows: ledger } = await database.query(
      `select kind, count(*)::int as n, count(distinct call_id)::int as calls from ledger group by 1 order by 1`,
    );
    expect(ledger).toEqual([
      { kind: 'charge', n: CALLS, calls: CALLS },
      { kind: 'lock', n: CALLS, calls: CALLS },
    ]);
    const charged = await count(`select sum(amount) from ledger where kind = 'charge'`);
    expect(Math.abs(charged)).toBe(CALLS * 1_000_000);
    const { body } = await service.request('GET', '/api/v0/workspace');
    expect(body.workspace_info).toMatchObject({ credits: CREDITS - CALLS, locked_credits: 0 });
  });

  it('emit each of their events once and in order', () => {
    const byCall = new Map<string, string[]>();
    for (const { body } of receiver.received) {
      byCall.set(body.call_id, [...(byCall.get(body.call_id) ?? []), body.event_type]);
    }
    expect(byCall.size).toBe(CALLS);
    for (const events of byCall.values()) expect(events).toEqual(EVENTS);
  });

  it('leave no call, port, descriptor, timer or memory behind', async () => {
    const { idle, warm, after } = held;
    if (idle === null || warm === null || after === null) throw new Error('not measured');
    expect(await gauge('callwright_live_calls')).toBe(0);
    expect(await gauge('callwright_worker_calls')).toBe(0);
    expect(await gauge('callwright_rtp_ports_in_use')).toBe(0);
    expect(await gauge('callwright_free_calls')).toBe(freeCalls);
    // Keep-alive connections vary; a leak would be in the hundreds.
    expect(after.fileDescriptors).toBeLessThan(idle.fileDescriptors + 15);
    const grown = Object.entries(after.resources).filter(
      ([kind, n]) => n >= (idle.resources[kind] ?? 0) + 10,
    );
    expect(grown).toEqual([]);
    expect(after.heapMb).toBeLessThan(idle.heapMb * 1.1);
    expect(after.rssMb).toBeLessThan(warm.rssMb * 1.1);
  });
});
