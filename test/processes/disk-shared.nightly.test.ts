import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayMount, mount, unmount } from '../helpers/recordings/small-file-system.ts';
import { createAgent, place, provisionWith, subscribe, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { answerAndLeave, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

/** Long enough to fill the disk on a busy machine while the call is recorded. */
const TALK_MS = 20_000;
const MB = 1_048_576;

let folder: string;
let service: Service;
let peer: SipPeer;
let receiver: WebhookReceiver;
let agentId = '';
let had = { answered: 0, ended: 0 };

const filler = (): string => join(folder, 'filler');
/** Fills the disk except for this many megabytes. */
async function leave(megabytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const file = await open(filler(), 'w');
  const block = Buffer.alloc(MB);
  for (let left = Math.floor((bavail * bsize) / MB) - megabytes; left > 0; left -= 1) await file.write(block);
  await file.close();
}

describe.skipIf(!mayMount)('a disk shared by recordings and the embedded database', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'callwright-test-'));
    if (!mount(folder, '800m')) throw new Error('not mounted');
    receiver = await startWebhookReceiver();
    peer = await startSipPeer();
    had = answerAndLeave(peer, TALK_MS);
    service = await startService({
      dataDir: folder,
      provision: provisionWith({
        trunks: [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
        trunk: 'peer',
      }),
      env: { SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
    });
    agentId = await createAgent(service, {
      // The caller is silent until the disk is full.
      call_config: { idle_timeout_warning: 60, idle_timeout_end: 120 },
    });
    await subscribe(service, agentId, receiver.url);
  });
  afterAll(async () => {
    await service?.end();
    await peer?.stop();
    await receiver?.close();
    if (!unmount(folder)) throw new Error('still in use');
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps space for the database: the recording stops, the call completes', async () => {
    const callId = await place(service, agentId, '+14155550123');
    await eventually('the call to be answered', async () => (had.answered > 0 ? true : null));
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await leave(200);
    const details = await whenOver(service, callId);
    expect(details).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
    expect(details.recording_duration).toBeGreaterThan(0);
    expect(details.recording_duration).toBeLessThan(TALK_MS / 1000);
    await expect.poll(() => service.output()).toContain('the disk is nearly full');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});
