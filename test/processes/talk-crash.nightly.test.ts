import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import type { Mishap } from '../helpers/service/kill-threads.ts';
import { phonesOf, type PhoneCall, type Phones } from '../helpers/sip/line-phone.ts';
import { watchLive } from '../helpers/calls/live-call.ts';
import {
  createAgent,
  place,
  provisionWith,
  subscribe,
  transcriptOf,
  whenOver,
} from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

const PERSON = '+14155550123';

let database: TestDatabase;
let receiver: WebhookReceiver;
let peer: SipPeer;
let phones: Phones;
let dataDir: string;
const services: Service[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  peer = await startSipPeer();
  phones = phonesOf(peer);
  phones.on(PERSON, { answers: 'PCMU' });
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-talk-'));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.dispose()));
  await peer?.stop();
  await receiver?.close();
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Service> {
  const service = await startService({
    dataDir,
    program: 'test/helpers/service/kill-threads.ts',
    provision: provisionWith({
      trunks: [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
      trunk: 'peer',
      credits: 100,
    }),
    env: {
      DATABASE_URL: database.url,
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
      PROBED_PROVIDERS: JSON.stringify({
        vad: 'light',
        stt: 'fake',
        tts: 'fake:ttsMs=20',
        llm: 'fake:replies=One reminder?|Any parking?|Goodbye then.,endAtReply=2',
      }),
    },
  });
  services.push(service);
  return service;
}

const journalled = async (callId: string): Promise<number> =>
  (
    await database.db.selectFrom('talk_journal').select('piece').where('call_id', '=', callId).execute()
  ).flatMap(({ piece }) => JSON.parse(piece).transcript as unknown[]).length;

interface Spoken {
  readonly callId: string;
  readonly person: PhoneCall;
  /** The lines shown live. */
  readonly lines: readonly { readonly [role in 'bot' | 'user']?: string }[];
}

/** A live call with two turns, both journalled. */
async function spoken(service: Service): Promise<Spoken> {
  const agentId = await createAgent(service, { call_config: { idle_timeout_warning: 0 } });
  await subscribe(service, agentId, receiver.url);
  const before = phones.calls(PERSON).length;
  const callId = await place(service, agentId, PERSON);
  const live = await watchLive(service, callId);
  await live.hasSaid(/Maya/);
  const person = phones.calls(PERSON)[before]!;
  person.press('1');
  await live.hasSaid(/reminder/);
  person.press('2');
  await live.hasSaid(/parking/);
  live.stop();
  const heard = live.events.filter(({ type }) => type === 'line');
  const lines = heard.map(({ line }) => ({ [line.role === 'agent' ? 'bot' : 'user']: line.text }));
  expect(lines.slice(-4)).toEqual([
    { user: '1' },
    { bot: 'One reminder?' },
    { user: '2' },
    { bot: 'Any parking?' },
  ]);
  await eventually('both turns in the journal', async () =>
    (await journalled(callId)) === lines.length ? true : null,
  );
  return { callId, person, lines };
}

/** Expects the lines in the record and the events, each event once. */
async function expectKept(service: Service, { callId, lines }: Spoken, subStatus: string): Promise<void> {
  const call = await whenOver(service, callId);
  expect(call).toMatchObject({
    call_status: 'error',
    call_sub_status: subStatus,
    transcript_partial: true,
  });
  expect(call.first_utterance_seconds).toBeGreaterThan(0);
  expect(call.latency.turns.length).toBeGreaterThan(0);
  const transcript = transcriptOf(call).map(({ bot, user }) => (bot === undefined ? { user } : { bot }));
  expect(transcript).toEqual(lines);
  const events = await eventually('the last event', async () => {
    const got = receiver.events(callId);
    return got.some((e) => e.body.event_type === 'all_processing_completed') ? got : null;
  });
  for (const type of ['call_completed', 'all_processing_completed']) {
    const sent = events.filter((e) => e.body.event_type === type);
    expect(new Set(sent.map((e) => e.headers['webhook-id'])).size).toBe(1);
    expect(sent[0]?.body).toMatchObject({ transcript });
  }
  const [last] = events.filter((e) => e.body.event_type === 'all_processing_completed');
  expect(last?.body.platform_analysis).toMatchObject({ status: 'analyzed' });
}

it('a call whose process was killed keeps its transcript, and each event is sent once', async () => {
  const first = await start();
  const call = await spoken(first);
  await first.end('SIGKILL');
  await expectKept(await start(), call, 'UNKNOWN_AFTER_CRASH');
  expect(await journalled(call.callId)).toBe(0);
});

it('a call whose worker thread died keeps its transcript', async () => {
  const service = services.at(-1)!;
  const call = await spoken(service);
  service.child.send({ threads: 'call-worker', does: 'die' } satisfies Mishap);
  await expectKept(service, call, 'FAILED');
  expect(await journalled(call.callId)).toBe(0);
});

it('a call whose worker thread hangs is hung up, keeps its transcript, and the next call works', async () => {
  const service = services.at(-1)!;
  const call = await spoken(service);
  const from = performance.now();
  service.child.send({ threads: 'call-worker', does: 600_000 } satisfies Mishap);
  await call.person.ended;
  // Long before the thread wakes; after which silence a thread counts as hung is a test of the pulse in virtual time.
  expect(performance.now() - from).toBeLessThan(60_000);
  await expectKept(service, call, 'FAILED');
  expect(await journalled(call.callId)).toBe(0);
  await expect.poll(() => service.output()).toContain('a call worker does not respond');
});

it('a call that ends normally leaves no journal rows', async () => {
  const service = services.at(-1)!;
  const { callId, person, lines } = await spoken(service);
  person.press('3');
  const call = await whenOver(service, callId);
  expect(call).toMatchObject({ call_status: 'completed', transcript_partial: false });
  expect(transcriptOf(call)).toHaveLength(lines.length + 2);
  expect(await database.db.selectFrom('talk_journal').selectAll().execute()).toEqual([]);
  expect(service.output()).not.toContain('not journalled');
});
