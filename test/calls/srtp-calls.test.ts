import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboundLeg, type SrtpPolicy, answerOffer } from '@callwright/sip';
import type { RtpLeg } from '@callwright/rtp';
import { likeness, peakOfQuarters, sidesOf, soundingMs, spoken } from '../helpers/audio/line-audio.ts';
import { phoneLine, type PhoneLine } from '../helpers/sip/phone-line.ts';
import {
  attachNumber,
  inboundCalls,
  newInbound,
  recordingOf,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';
import { createAgent, place, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { callService, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';

/** Short, so that a frame that a busy machine sends late does not shift the rest of the window. */
const WINDOW_MS = 300;
const CALLER = '+14155550188';
const NUMBERS = { required: '+14155550110', optional: '+14155550111' } as const;
const KEY_LINES = /a=crypto:\d+ \S+ inline:([A-Za-z0-9+/=]+)/g;

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
const peers: Partial<Record<keyof typeof NUMBERS, SipPeer>> = {};
const peerOf = (srtp: keyof typeof NUMBERS): SipPeer => peers[srtp] as SipPeer;
/** Keys that the peers saw in SDP. */
const keys = new Set<string>();
const keep = (sdp: string): string => {
  for (const [, key] of sdp.matchAll(KEY_LINES)) keys.add(key as string);
  return sdp;
};
let agentId = '';

beforeAll(async () => {
  peers.required = await startSipPeer();
  peers.optional = await startSipPeer();
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
  ({ service, close } = await startPhoneService(
    names.map((srtp) => ({ name: srtp, uri: `sip:127.0.0.1:${peerOf(srtp).port}`, srtp })),
    names.map((srtp) => ({ number: NUMBERS[srtp], trunk: srtp })),
    { LOG_LEVEL: 'trace' },
  ));
  for (const srtp of names) peerOf(srtp).target(service.sipPort);
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya. Can you make it on Tuesday?',
    task: '1. Ask "Can you make it on Tuesday?"\n2. Say "Please bring your insurance card."\n3. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  for (const number of Object.values(NUMBERS)) await attachNumber(service, agentId, number);
});
afterAll(async () => {
  await close();
  await Promise.all(Object.values(peers).map((peer) => peer?.stop()));
});

/** Compares both sides of our recording with what the phone heard and said. */
async function expectSameTalk(
  call: { recording_url: string },
  line: PhoneLine,
  said: Int16Array,
): Promise<void> {
  const { agent, caller } = sidesOf(await recordingOf(call));
  expect(soundingMs(agent)).toBeGreaterThan(3000);
  expect(likeness(agent, line.heard(), WINDOW_MS).peak).toBeGreaterThan(0.9);
  expect(peakOfQuarters(said, caller)).toBeGreaterThan(0.9);
}

const agentHasAsked = (line: PhoneLine): Promise<true> =>
  eventually('the agent to have asked', async () =>
    line.soundMs() > 2500 && line.quietMs() > 600 ? true : null,
  );

/** Answers the next call of the peer; one that is `deaf` to a=crypto answers RTP/SAVP without. */
function answerNext(
  peer: SipPeer,
  srtp: SrtpPolicy | 'deaf',
): Promise<{ media: RtpLeg; line: PhoneLine; offer: string } | { refused: string }> {
  return new Promise((resolve) => {
    const take = async (leg: InboundLeg): Promise<void> => {
      leg.listen({
        onAnswered: () => undefined,
        onFailed: () => undefined,
        onEnded: () => undefined,
        onReoffer: () => null,
        onDtmf: () => undefined,
      });
      const offer = keep(leg.sdpOffer ?? '');
      const media = await peer.openMedia();
      const isDeaf = srtp === 'deaf';
      const ours = { address: '127.0.0.1', port: media.port, sessionId: 1, version: 1 };
      const outcome = answerOffer(
        isDeaf ? offer.replaceAll(KEY_LINES, 'a=x').replace('/SAVP', '/AVP') : offer,
        { ...ours, srtp: isDeaf ? 'off' : srtp },
      );
      if (!outcome.accepted) {
        leg.reject(488);
        return resolve({ refused: outcome.reason });
      }
      const { line, sink } = phoneLine(media);
      media.update(outcome.media);
      media.start(sink);
      leg.answer(keep(outcome.answer));
      return resolve({ media, line, offer });
    };
    peer.signalling.onInbound((leg) => void take(leg));
  });
}

const once = { call_config: { call_retry_config: { retry_count: 0 } } };

describe('a trunk with srtp required', () => {
  it('takes an encrypted inbound call, and both sides hear each other', async () => {
    const before = await inboundCalls(service);
    const talk = await callService(peerOf('required'), CALLER, NUMBERS.required, 'required');
    const callId = await newInbound(service, before);
    await agentHasAsked(talk.line);
    const said = await spoken('yes please');
    talk.line.say(said);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    await expectSameTalk(call, talk.line, said);
    expect(talk.media.stats()).toMatchObject({ packetsLost: 0, strayPackets: 0 });
    expect(talk.media.stats().packetsReceived).toBeGreaterThan(200);
  });

  it('refuses an inbound call without SRTP by 488, and the call says why', async () => {
    const before = await inboundCalls(service);
    await expect(callService(peerOf('required'), CALLER, NUMBERS.required)).rejects.toThrow(/^488 /);
    const call = await whenOver(service, await newInbound(service, before));
    expect(call.attempts.at(-1)).toMatchObject({
      sip_code: 488,
      reason: 'srtp of the trunk is required, and the peer offers none',
    });
  });

  it('calls a carrier that answers with SRTP', async () => {
    const answered = answerNext(peerOf('required'), 'required');
    const callId = await place(service, agentId, CALLER, { ...once, from_number: NUMBERS.required });
    const joined = await answered;
    if ('refused' in joined) throw new Error(joined.refused);
    expect(joined.offer).toContain('RTP/SAVP');
    await agentHasAsked(joined.line);
    const said = await spoken('yes please');
    joined.line.say(said);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    await expectSameTalk(call, joined.line, said);
  });
});

describe('a carrier without SRTP on a trunk with srtp required', () => {
  it.each([
    ['off', '488 Not Acceptable Here'],
    ['deaf', 'srtp of the trunk is required, and the peer offers none'],
  ] as const)('ends the call with 488 when its SRTP is %s', async (srtp, reason) => {
    const answered = answerNext(peerOf('required'), srtp);
    const callId = await place(service, agentId, CALLER, { ...once, from_number: NUMBERS.required });
    await answered;
    const call = await whenOver(service, callId);
    expect(call.attempts.at(-1)).toMatchObject({ sip_code: 488, reason });
  });
});

describe('a trunk with srtp optional', () => {
  it.each(['off', 'optional', 'required'] as const)(
    'takes an inbound call whose phone has SRTP %s',
    async (srtp) => {
      const before = await inboundCalls(service);
      const talk = await callService(peerOf('optional'), CALLER, NUMBERS.optional, srtp);
      const callId = await newInbound(service, before);
      await eventually('the agent to be heard', async () => (talk.line.soundMs() > 400 ? true : null));
      talk.leg.hangup('normal');
      await talk.ended;
      expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'USER_LEFT' });
      expect(talk.media.stats()).toMatchObject({ packetsLost: 0, strayPackets: 0 });
    },
  );

  it('calls a carrier without SRTP in clear', async () => {
    const answered = answerNext(peerOf('optional'), 'off');
    const callId = await place(service, agentId, CALLER, { ...once, from_number: NUMBERS.optional });
    const joined = await answered;
    if ('refused' in joined) throw new Error(joined.refused);
    expect(joined.offer).toMatch(/RTP\/AVP[\s\S]*a=crypto:1 /);
    await eventually('the agent to be heard', async () => (joined.line.soundMs() > 400 ? true : null));
    await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
    await whenOver(service, callId);
  });
});

it('keys are neither logged nor in what the API says of the calls', async () => {
  expect(keys.size).toBeGreaterThan(5);
  const { body } = await service.request('GET', '/api/v0/calling/history?limit=100');
  const told = [service.output()];
  for (const { id } of body.calls) {
    for (const path of [`call-details?id=${id}`, `replay?id=${id}`])
      told.push(JSON.stringify((await service.request('GET', `/api/v0/calling/${path}`)).body));
  }
  const all = told.join('\n');
  for (const key of keys) expect(all.includes(key)).toBe(false);
  expect(all.includes('inline:')).toBe(false);
});
