import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { peak } from '@callwright/audio';
import { LISTEN_PROTOCOL } from '../../src/telephony/web/listener-socket.ts';
import { likeness, sidesOf } from '../helpers/audio/line-audio.ts';
import { type Browser, PASSWORD } from '../helpers/browser/browser.ts';
import { serviceBrowser } from '../helpers/browser/service-browser.ts';
import { watchLive } from '../helpers/calls/live-call.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { phonesOf, soundOf, type PhoneCall, type Phones } from '../helpers/sip/line-phone.ts';
import { recordingOf } from '../helpers/sip/phone-service.ts';
import { startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';

const EMAIL = 'owner@example.com';
const CALLER = '+14155550123';
const FRAME = 160;

let database: TestDatabase;
let service: Service;
let peer: SipPeer;
let phones: Phones;
let owner: Browser;
beforeAll(async () => {
  peer = await startSipPeer();
  phones = phonesOf(peer);
  phones.on(CALLER, { answers: 'PCMU' });
  database = await createTestDatabase();
  const trunk = { name: 'carrier', uri: `sip:127.0.0.1:${peer.port}`, transport: 'udp' };
  service = await startService({
    env: { DATABASE_URL: database.url },
    provision: provisionWith({
      trunks: [trunk],
      trunk: 'carrier',
      owner: { email: EMAIL, password: PASSWORD },
    }),
  });
  peer.target(service.sipPort);
  owner = await serviceBrowser(service, EMAIL);
});
afterAll(async () => {
  await service?.dispose();
  await peer?.stop();
  await database?.close();
});

const framesOf = (sound: Int16Array): Int16Array[] =>
  Array.from({ length: sound.length / FRAME }, (_, n) => sound.slice(n * FRAME, (n + 1) * FRAME));
const isAmong = (frame: Int16Array, sent: readonly Int16Array[]): boolean =>
  sent.some((one) => likeness(one, frame, 20).peak > 0.9);

/** Sends the frames of a microphone, one each 20 ms or later. */
async function sendFrames(socket: WebSocket, frames: readonly Int16Array[]): Promise<void> {
  for (const frame of frames) {
    socket.send(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength));
    await setTimeout(20);
  }
}

const matching = (caller: PhoneCall, from: number, sent: readonly Int16Array[]): number =>
  caller
    .frames()
    .slice(from)
    .filter((frame) => peak(frame) > 300 && isAmong(frame, sent)).length;

describe('a member who takes a live call over', () => {
  it('is heard by the caller and in the recording, without the agent, until the way back', async () => {
    const agentId = await createAgent(service, {
      intro_message: 'Hello, this is Maya.',
      task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
      call_config: { idle_timeout_warning: 0, idle_timeout_end: 60, mute_during_intro: false },
    });
    const callId = await place(service, agentId, CALLER, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    const live = await watchLive(service, callId);
    await live.hasSaid(/Maya/);
    const [caller] = phones.calls(CALLER) as [PhoneCall];
    const { body } = await owner.request('POST', `/dashboard-api/calls/${callId}/listen`);
    const socket = new WebSocket(
      String(body['ws_url']),
      [LISTEN_PROTOCOL, `token.${String(body['token'])}`],
      {
        origin: service.url,
      },
    );
    await once(socket, 'open');
    const control = async (operation: string): Promise<void> => {
      const { status } = await owner.request('POST', `/api/v0/calling/${callId}/control`, { operation });
      expect(status).toBe(200);
    };
    await control('take_over');
    await live.until('the take-over', ({ code }) => code === 'TAKEN_OVER');
    const from = caller.frames().length;
    const sent = framesOf(soundOf(7, 1_000));
    await sendFrames(socket, sent);
    await eventually('the person to be heard', async () => matching(caller, from, sent) >= 20 || null);
    // The agent says nothing over it: every frame with sound is the person's, but one that was on its way.
    const loud = caller
      .frames()
      .slice(from + 1)
      .filter((frame) => peak(frame) > 300);
    expect(loud.filter((frame) => !isAmong(frame, sent))).toEqual([]);
    await control('hand_back');
    await live.until('the way back', ({ code }) => code === 'HANDED_BACK');
    caller.press('1');
    await live.hasSaid(/customer number/);
    caller.hangUp();
    live.stop();
    const call = await whenOver(service, callId);
    const { agent } = sidesOf(await recordingOf(call));
    const kept = sent.slice(10, 40).filter((frame) => likeness(frame, agent, 20).peak > 0.9);
    expect(kept.length).toBeGreaterThanOrEqual(10);
    expect(call.listeners).toHaveLength(1);
    socket.terminate();
  }, 180_000);
});
