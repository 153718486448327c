import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWav } from '@callwright/audio';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { mayMount, mount, unmount } from '../helpers/recordings/small-file-system.ts';
import { createAgent, place, provisionWith, subscribe, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { answerAndLeave, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

const TALK_MS = 5000;
/** Disk size: about two seconds of stereo audio at 32 kB/s. */
const DISK_SIZE = '64k';

let database: TestDatabase;
let service: Service;
let peer: SipPeer;
let receiver: WebhookReceiver;
let agentId = '';
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  peer = await startSipPeer();
  answerAndLeave(peer, TALK_MS);
  service = await startService({
    provision: provisionWith({
      trunks: [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
      trunk: 'peer',
    }),
    env: { DATABASE_URL: database.url, SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
  });
  agentId = await createAgent(service);
  await subscribe(service, agentId, receiver.url);
});
afterAll(async () => {
  await service?.dispose();
  await peer?.stop();
  await receiver?.close();
  await database?.close();
});

const recordings = (): string => join(service.dataDir, 'recordings');

const readMetric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};
/** Alarms for the operator: metrics, log lines and the note in /readyz. */
async function alarms(): Promise<{
  failures: number;
  free: number;
  logged: number;
  note: string;
  ready: number;
}> {
  const ready = await fetch(`${service.url}/readyz`);
  const { checks } = (await ready.json()) as { checks: { name: string; detail?: string }[] };
  return {
    failures: await readMetric('callwright_recording_failures_total'),
    free: await readMetric('callwright_recordings_free_bytes'),
    logged: service.output().split('a recording could not be kept').length - 1,
    note: checks.find((check) => check.name === 'recordings')?.detail ?? '',
    ready: ready.status,
  };
}

/** Places a call and expects the usual outcome, independent of its recording. */
async function call(): Promise<{ details: any; state: string | null; events: string[] }> {
  const callId = await place(service, agentId, '+14155550123');
  const details = await whenOver(service, callId);
  expect(details).toMatchObject({
    call_status: 'completed',
    call_sub_status: 'USER_LEFT',
    call_cost: 1,
  });
  expect(details.call_duration).toBeGreaterThan(TALK_MS / 1000 - 0.5);
  const row = await database.db
    .selectFrom('call_records')
    .select('recording_state')
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
  const last = await eventually('the last event', async () => {
    const got = receiver.events(callId);
    return got.find((e) => e.body.event_type === 'all_processing_completed') ?? null;
  });
  expect(last.body.recording_url).toBe(details.recording_url);
  const events = receiver.events(callId).map((e): string => e.body.event_type);
  return { details, state: row.recording_state, events };
}

const WITHOUT_RECORDING = [
  'call_started',
  'call_ringing',
  'call_ongoing',
  'call_completed',
  'all_processing_completed',
];

describe('when recordings cannot be written', () => {
  it('because the folder is not writable, calls proceed without, and with recording once it is', async () => {
    await rm(recordings(), { recursive: true });
    await writeFile(recordings(), 'a file where the folder should be');
    expect(await alarms()).toMatchObject({ failures: 0, logged: 0, ready: 200 });
    const without = await call();
    await expect.poll(alarms).toMatchObject({ failures: 1, logged: 1, ready: 200 });
    expect((await alarms()).note).toContain('1 recordings could not be kept');
    expect(without.state).toBe('failed');
    expect(without.details.recording_url).toBeNull();
    expect(without.events).toEqual(WITHOUT_RECORDING);

    await rm(recordings());
    await mkdir(recordings(), { mode: 0o700 });
    const again = await call();
    expect(again.state).toBe('stored');
    expect(again.events).toContain('recording_completed');
    expect((await fetch(again.details.recording_url)).status).toBe(200);
  });

  it.skipIf(!mayMount)(
    'because the disk is full, the partial recording is playable and later calls proceed',
    async () => {
      expect(mount(recordings(), DISK_SIZE)).toBe(true);
      try {
        const cut = await call();
        expect(cut.state).toBe('partial');
        const answer = await fetch(cut.details.recording_url);
        const wav = parseWav(Buffer.from(await answer.arrayBuffer()));
        if (!wav.ok) throw new Error(wav.reason);
        const seconds = wav.pcm.length / wav.channels / wav.sampleRate;
        expect(seconds).toBeGreaterThan(0.5);
        expect(seconds).toBeLessThan(3);
        expect(Math.abs(seconds - cut.details.recording_duration)).toBeLessThan(0.05);
        expect(cut.events).toContain('recording_completed');

        const { failures, free, note, ready } = await alarms();
        expect([failures, ready]).toEqual([2, 200]);
        expect(free).toBeLessThan(64 * 1024);
        expect(note).toContain('0 MB are left for recordings');
        const full = await call();
        expect(full.state).toBe('failed');
        expect(full.events).toEqual(WITHOUT_RECORDING);
      } finally {
        expect(unmount(recordings())).toBe(true);
      }
      await expect(stat(recordings())).resolves.toBeTruthy();
    },
  );
});

/** Simulates a full database disk: updates that end calls fail. */
const FULL = `
  create function disk_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
  create trigger disk_full before update on calls for each row when (new.status = 'completed')
    execute function disk_full()`;

describe('when the database cannot store an outcome', () => {
  it('/readyz reports it, and the call is settled once it can', async () => {
    const outcomes = async (): Promise<{ status: number; ok: boolean | undefined }> => {
      const answer = await fetch(`${service.url}/readyz`);
      const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean }[] };
      return { status: answer.status, ok: checks.find(({ name }) => name === 'outcomes')?.ok };
    };
    await database.pool.query(FULL);
    const callId = await place(service, agentId, '+14155550123');
    await eventually('/readyz to report it', async () => ((await outcomes()).ok === false ? true : null));
    expect(await outcomes()).toEqual({ status: 503, ok: false });
    await database.pool.query('drop function disk_full cascade');
    const details = await whenOver(service, callId);
    expect(details).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT', call_cost: 1 });
    await eventually('/readyz to recover', async () => ((await outcomes()).status === 200 ? true : null));
  });
});
