import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { mayMount, mount, unmount } from '../helpers/recordings/small-file-system.ts';
import {
  createAgent,
  place,
  provisionWith,
  transcriptOf,
  whenCall,
  whenOver,
} from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';
import { answerAndLeave, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';

/** Long enough that the agent has spoken, even if its process stands still for seconds. */
const TALK_MS = 12_000;

let database: TestDatabase;
let folder: string;
let service: Service;
let peer: SipPeer;
let agentId = '';

/** Fills the disk to its last byte. */
async function fill(): Promise<void> {
  const file = await open(join(folder, 'filler'), 'w');
  const block = Buffer.alloc(4096);
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

/** The check of the voices, which reports whether the last call could speak. */
async function voices(): Promise<unknown> {
  const { checks } = (await (await fetch(`${service.url}/readyz`)).json()) as { checks: { name: string }[] };
  return checks.find(({ name }) => name === 'voices');
}

describe.skipIf(!mayMount)('while the disk of the data folder is full and the database is on another', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'callwright-test-'));
    if (!mount(folder, '48m')) throw new Error('not mounted');
    peer = await startSipPeer();
    answerAndLeave(peer, TALK_MS);
    service = await startService({
      dataDir: folder,
      provision: provisionWith({
        trunks: [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
        trunk: 'peer',
      }),
      env: { DATABASE_URL: database.url },
    });
    agentId = await createAgent(service);
  });
  afterAll(async () => {
    await service?.end();
    await peer?.stop();
    if (!unmount(folder)) throw new Error('still in use');
    await rm(folder, { recursive: true, force: true });
    await database?.close();
  });

  it('calls are spoken and completed, without recordings', async () => {
    await fill();
    const { bavail } = await statfs(folder);
    expect(bavail).toBe(0);
    for (const name of ['Sam', 'Priya']) {
      const callId = await place(service, agentId, '+14155550123', { name });
      const details = await whenOver(service, callId);
      expect(details).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
      expect(transcriptOf(details).some(({ bot }) => bot !== undefined)).toBe(true);
      expect(details.recording_url).toBeNull();
    }
    expect(await voices()).toMatchObject({ ok: true });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it('the next call after the disk has space again is recorded', async () => {
    await rm(join(folder, 'filler'));
    const callId = await place(service, agentId, '+14155550123', { name: 'Amir' });
    await whenOver(service, callId);
    const kept = await whenCall(service, callId, 'recorded', (call) => call.recording_url !== null);
    expect(kept.call_status).toBe('completed');
  });
});
