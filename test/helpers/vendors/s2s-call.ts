import {
  type FakeProtocol,
  type FakeSettings,
  type FakeVendor,
  codedSpeech,
  fakeGoogle,
  fakeOpenai,
  startFakeVendor,
  wordsIn,
} from '@callwright/stand-ins';
import { createFakeLlm } from '../../../src/offline/scripted/llm.ts';
import { createFakeTts } from '../../../src/offline/scripted/tts.ts';
import { s2sProviders } from '../../../src/providers/s2s/providers.ts';
import { openS2sVendor } from '../../../src/providers/choose/speech-to-speech.ts';
import { VendorHealth } from '../../../src/providers/wire/health.ts';
import { talkOf } from '../../../src/session/settings.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import type { S2sVendorName } from '../../../src/vendors/catalogue.ts';
import { toneRecogniser } from '../audio/tone-recogniser.ts';
import {
  answerVirtualCall,
  virtualSpec,
  type VirtualSessionOptions,
} from '../../rigs/calls/virtual-session.ts';
import { VirtualTime } from '../../rigs/calls/virtual-time.ts';

/** Another voice than the agent's, whose echo it would be otherwise. */
const CALLER_HZ = 220;
export const KEY = 's2s-secret-key-77';
export type Case = readonly [S2sVendorName, FakeProtocol, recorded: string];
export const VENDORS: readonly Case[] = [
  ['openai', fakeOpenai, 'openai-realtime'],
  ['google', fakeGoogle, 'gemini-live'],
];

/**
 * A call at real speed with a vendor over a real socket; limits are on the call's clock, which a busy machine may slow.
 * The pipeline behind it hears tones and says "Pipeline here."
 */
export async function callWith(
  [name, protocol]: Case,
  settings: Partial<FakeSettings>,
  options: VirtualSessionOptions & {
    readonly key?: string;
    readonly rings?: (vendor: FakeVendor) => Promise<void>;
  } = {},
) {
  const vendor = await startFakeVendor(protocol, { settings: { key: KEY, endMs: 300, ...settings } });
  const time = new VirtualTime(new ManualClock());
  const account = { apiKey: options.key ?? KEY, baseUrl: vendor.baseUrl, model: null };
  const ports = s2sProviders(
    openS2sVendor({ name, settings: account }),
    account,
    {
      stt: toneRecogniser,
      llm: createFakeLlm({ llmMs: 20, replies: ['Pipeline here.'] }),
      tts: createFakeTts({ ttsMs: 50 }),
    },
    new VendorHealth(),
    { scheduler: time },
  );
  const agent = { introMessage: 'Hello there.', ...options.agent };
  if (options.rings !== undefined) {
    ports.ring(talkOf(virtualSpec({ ...options, agent }), ports.stt, 8000));
    await options.rings(vendor);
  }
  const call = answerVirtualCall({
    ...options,
    time,
    agent,
    recogniser: ports.stt,
    llm: ports.llm,
    speaker: ports.tts,
  });
  const stop = call.time.pace();
  return {
    ...call,
    vendor,
    say: (text: string) => call.person.say(codedSpeech(text, 8000, 1, CALLER_HZ)),
    words: () => wordsIn(call.person.heard(), 8000).map(({ text }) => text),
    sent: (type: string) => sentBy(vendor, type),
    async hangUp() {
      call.session.remoteHangup(call.time.now());
      const result = await call.result();
      stop();
      await vendor.close();
      return result;
    },
  };
}

const sentBy = (vendor: FakeVendor, type: string): any[] =>
  vendor.received.flatMap((text) => {
    const message = JSON.parse(text);
    return message.type === type || message[type] !== undefined ? [message] : [];
  });
export const lines = ({ transcript }: { transcript: readonly { role: string; text: string }[] }): string[] =>
  transcript.map(({ role, text }) => `${role}: ${text}`);
