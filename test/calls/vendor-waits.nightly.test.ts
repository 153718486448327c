import { describe, expect, it } from 'vitest';
import {
  type FakeProtocol,
  type FakeSettings,
  fakeAnthropic,
  fakeAssemblyai,
  fakeCartesia,
  fakeDeepgram,
  fakeElevenlabs,
  fakeGoogle,
  fakeOpenai,
  fakeSarvam,
  fakeSherpa,
  fakeTranscriptions,
  fakeVosk,
  startFakeVendor,
} from '@callwright/stand-ins';
import { createFakeLlm } from '../../src/offline/scripted/llm.ts';
import { createFakeTts } from '../../src/offline/scripted/tts.ts';
import { ChainedModel } from '../../src/providers/llm/chained.ts';
import { openModel } from '../../src/providers/choose/models.ts';
import { createRecogniser } from '../../src/providers/choose/recognisers.ts';
import { ChainedRecogniser } from '../../src/providers/stt/chained.ts';
import { createVoice } from '../../src/providers/choose/voices.ts';
import { spokenClips } from '../../src/providers/tts/cached-voice.ts';
import { ChainedVoice } from '../../src/providers/tts/chained.ts';
import { VendorHealth } from '../../src/providers/wire/health.ts';
import type { LlmVendorName, SttVendorName, TtsVendorName } from '../../src/vendors/catalogue.ts';
import { toneRecogniser } from '../helpers/audio/tone-recogniser.ts';
import type { VirtualSessionOptions } from '../rigs/calls/virtual-session.ts';
import { holdCall, SAID, type Waits } from '../rigs/vendors/waits.ts';

/** Later than any of our limits. */
const SLOW = { firstByteMs: 3_000, speechMs: 3_000, resultMs: 3_000 };
const FAULTS: readonly {
  readonly name: string;
  readonly start?: Partial<FakeSettings>;
  readonly midway?: Partial<FakeSettings>;
  /** Connections are lost, too. */
  readonly cuts?: boolean;
}[] = [
  { name: 'refuses every connection', start: { refuse: 503 } },
  { name: 'never answers', start: { hang: true } },
  { name: 'is slow by 3 s', start: SLOW },
  { name: 'goes away in the call', midway: { refuse: 503 }, cuts: true },
  { name: 'stops answering in the call', midway: { hang: true } },
  { name: 'becomes slow by 3 s in the call', midway: SLOW },
];

/** One call for every vendor and fault, all at once; by the name of both. */
async function waitsOf<Name extends string>(
  vendors: readonly (readonly [name: Name, protocol: FakeProtocol, model?: string])[],
  options: (account: { name: Name; baseUrl: string; model: string | null }) => VirtualSessionOptions,
  at: 'midway' | 'inReply',
): Promise<(readonly [name: string, waits: Waits])[]> {
  const cases = vendors.flatMap((vendor) => FAULTS.map((fault) => [vendor, fault] as const));
  return Promise.all(
    cases.map(async ([[name, protocol, model = null], fault]) => {
      const { start = {}, midway = {}, cuts = false } = fault;
      const vendor = await startFakeVendor(protocol, { settings: start });
      const fail = (): void => {
        Object.assign(vendor.settings, midway);
        if (cuts) vendor.cut();
      };
      const held = await holdCall(options({ name, baseUrl: vendor.baseUrl, model }), { [at]: fail });
      await vendor.close();
      return [`${name}${model === null ? '' : `, ${model}`}, ${fault.name}`, held] as const;
    }),
  );
}

const LONGEST_MS = 2_500;
const late = (held: readonly (readonly [string, Waits])[]): unknown =>
  held.flatMap(([name, { longestMs, byTurn }]) => (longestMs <= LONGEST_MS ? [] : [[name, ...byTurn]]));
const misheard = (held: readonly (readonly [string, Waits])[]): unknown =>
  held.flatMap(([name, { result }]) => {
    const lines = result.transcript.filter(({ role }) => role === 'caller').map(({ text }) => text);
    // Vosk writes no capitals.
    return lines.join(' ').toLowerCase() === SAID.join(' ').toLowerCase() ? [] : [[name, ...lines]];
  });

const SCRIPT_LINE = 'The script goes on.';

/** Typical delays of the parts that work. */
const VOICE = { tts: { ttsMs: 120 } };
const MODEL = { llm: { llmMs: 300 } };

// Calls at real speed, as their sockets are real: about 20 s a test.
describe('a caller hears something within 2.5 s', () => {
  it('and every word is understood, whichever recogniser fails in whichever way', async () => {
    const held = await waitsOf<SttVendorName>(
      [
        ['deepgram', fakeDeepgram, 'flux-general-en'],
        ['deepgram', fakeDeepgram, 'nova-3'],
        ['assemblyai', fakeAssemblyai],
        ['sarvam', fakeSarvam],
        ['elevenlabs', fakeElevenlabs],
        ['openai', fakeOpenai],
        ['openai-compatible', fakeTranscriptions],
        ['vosk', fakeVosk],
        ['sherpa', fakeSherpa],
      ],
      ({ name, ...account }) => ({
        ...VOICE,
        ...MODEL,
        recogniser: new ChainedRecogniser([
          createRecogniser({ name, settings: { apiKey: 'any', ...account } }),
          toneRecogniser,
        ]),
      }),
      'midway',
    );
    expect({ late: late(held), misheard: misheard(held) }).toEqual({ late: [], misheard: [] });
  });

  it('whichever speaker fails in whichever way', async () => {
    const held = await waitsOf<TtsVendorName>(
      [
        ['elevenlabs', fakeElevenlabs],
        ['cartesia', fakeCartesia],
        ['deepgram', fakeDeepgram],
        ['sarvam', fakeSarvam],
        ['openai', fakeOpenai],
        ['openai-compatible', fakeTranscriptions],
      ],
      ({ name, ...account }) => ({
        ...MODEL,
        recogniser: toneRecogniser,
        speaker: new ChainedVoice([
          createVoice({ name, settings: { apiKey: 'any', ...account } }, { clips: spokenClips() }),
          createFakeTts({ ttsMs: 120 }),
        ]),
      }),
      'inReply',
    );
    expect(late(held)).toEqual([]);
  });

  it.each([
    ['the agent goes on with its script', { onModelFailure: 'script' } as const],
    ['the agent apologises and ends the call after its second failure', {}],
  ])('whichever model fails in whichever way, and %s', async (_, onFailure) => {
    const held = await waitsOf<LlmVendorName>(
      [
        ['openai', fakeOpenai],
        ['anthropic', fakeAnthropic],
        ['google', fakeGoogle],
        ['openai-compatible', fakeTranscriptions],
      ],
      ({ name, baseUrl }) => {
        const model = openModel({ vendor: name, key: 'any', baseUrl, model: 'any' });
        const last = { ...createFakeLlm({ llmMs: 50, replies: [SCRIPT_LINE] }), name: 'offline' };
        return {
          ...VOICE,
          spec: { llm: { temperature: null, maxTokens: null, ...onFailure } },
          recogniser: toneRecogniser,
          llm: new ChainedModel([model, last], { health: new VendorHealth() }),
        };
      },
      'midway',
    );
    expect(late(held)).toEqual([]);
    const spoken = held.map(([, { result }]) => result.transcript.map(({ text }) => text).join(' '));
    const hasScript = 'onModelFailure' in onFailure;
    expect(spoken.filter((text) => text.includes(SCRIPT_LINE) !== hasScript)).toEqual([]);
    expect(spoken.filter((text) => text.includes('Sorry, I') === hasScript)).toEqual([]);
  });
});
