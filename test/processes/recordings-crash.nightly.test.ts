import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type WavResult, parseWav } from '@callwright/audio';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import {
  createAgent,
  place,
  provisionWith,
  subscribe,
  whenCall,
  whenOver,
} from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

let database: TestDatabase;
let receiver: WebhookReceiver;
let dataDir: string;
const services: Service[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-crash-'));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.dispose()));
  await receiver?.close();
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Service> {
  const service = await startService({
    dataDir,
    provision: provisionWith({ credits: 100 }),
    env: { DATABASE_URL: database.url, SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
  });
  services.push(service);
  return service;
}
const secondsOf = (wav: WavResult): number =>
  wav.ok ? wav.pcm.length / wav.channels / wav.sampleRate : Number.NaN;

it('a recording cut off by a crash is repaired: header, record, events and link', async () => {
  const first = await start();
  const agentId = await createAgent(first);
  await subscribe(first, agentId, receiver.url);
  const callId = await place(first, agentId, '+14155550123');
  await whenCall(first, callId, 'answered', (call) => call.answered_at !== null);
  const workspaces = await database.db.selectFrom('workspaces').select('id').execute();
  const file = join(dataDir, 'recordings', workspaces[0]!.id, `${callId}-1.wav`);
  await eventually('two writes of the recorder', async () => {
    const size = await stat(file).then(
      (stats) => stats.size,
      () => 0,
    );
    return size > 60_000 ? true : null;
  });
  await first.end('SIGKILL');

  const cut = await readFile(file);
  // The header left by the crash has a data size of zero.
  expect(cut.readUInt32LE(40)).toBe(0);
  const written = (cut.length - 44) / 4 / 8000;
  expect(written).toBeGreaterThan(1.5);

  const second = await start();
  const call = await whenOver(second, callId);
  expect(call).toMatchObject({ call_status: 'error', call_sub_status: 'UNKNOWN_AFTER_CRASH' });
  expect(call.recording_url).not.toBeNull();
  const record = await database.db
    .selectFrom('call_records')
    .select(['recording_state', 'recording_path'])
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
  expect(record).toEqual({
    recording_state: 'partial',
    recording_path: `${workspaces[0]!.id}/${callId}-1.wav`,
  });

  const answer = await fetch(call.recording_url);
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  expect(Math.abs(secondsOf(parseWav(bytes)) - written)).toBeLessThan(0.5);
  expect(Math.abs(call.recording_duration - written)).toBeLessThan(0.5);
  const mp3 = await fetch(call.recording_url.replace('.wav', '.mp3'));
  expect(mp3.status).toBe(200);

  const events = await eventually('the last event', async () => {
    const got = receiver.events(callId);
    return got.some((e) => e.body.event_type === 'all_processing_completed') ? got : null;
  });
  const eventOf = (type: string) => events.find((e) => e.body.event_type === type)?.body;
  expect(eventOf('recording_completed')).toMatchObject({ recording_url: call.recording_url });
  expect(eventOf('all_processing_completed')).toMatchObject({ recording_url: call.recording_url });
});
