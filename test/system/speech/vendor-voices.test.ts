import { eventually } from '../../helpers/service/service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FAKE_SETTINGS,
  type FakeVendor,
  fakeCartesia,
  fakeElevenlabs,
  startFakeVendor,
  wordsIn,
} from '@callwright/stand-ins';
import { createFakeTts } from '../../../src/offline/scripted/tts.ts';
import { ChainedVoice } from '../../../src/providers/tts/chained.ts';
import { joined } from '../../../src/offline/speech/speech-audio.ts';
import { createVoice, tryVoice } from '../../../src/providers/choose/voices.ts';
import type { SampleRate } from '@callwright/audio';
import type {
  TtsContext,
  TtsEvent,
  TtsProvider,
  TtsSession,
  TtsVoice,
} from '../../../src/providers/ports/voice.ts';

const KEY = 'secret-key-92';
const TEXT = 'Your table for two is booked, thank you.';
const VOICE = { voiceKey: 'flite:slt', language: 'en-US', speed: 1 } as const;

/** A sentence with its events. */
class Sentence {
  readonly events: TtsEvent[] = [];
  readonly #rate: SampleRate;

  constructor(context: TtsContext, text: string, rate: SampleRate = 8000, voice?: Partial<TtsVoice>) {
    this.#rate = rate;
    context.say(text, (event) => this.events.push(event), voice);
  }

  get pcm(): Int16Array {
    return joined(this.events.flatMap((event) => (event.type === 'audio' ? [event.pcm] : [])));
  }
  /** The words in its audio, with their times. */
  get words() {
    return wordsIn(this.pcm, this.#rate);
  }
  get text(): string {
    return this.words.map(({ text }) => text).join(' ');
  }
  get marks() {
    return this.events.flatMap((event) => (event.type === 'marks' ? event.marks : []));
  }
  async end(): Promise<TtsEvent> {
    return eventually('the end of the sentence', async () => {
      const last = this.events.at(-1);
      return last?.type === 'done' || last?.type === 'failed' ? last : null;
    });
  }
}

const CASES = [
  {
    name: 'elevenlabs',
    fake: fakeElevenlabs,
    voiceKey: 'elevenlabs:EXAVITQu4vr4xnSDxMaL',
    /** What the vendor was asked for last, and should be. */
    asked: ({ connections }: FakeVendor): unknown => {
      const { path = '', query } = connections.at(-1) ?? {};
      const of = (name: string) => query?.get(name);
      return [path, of('model_id'), of('output_format'), of('language_code'), of('sync_alignment')];
    },
    wants: [
      '/v1/text-to-speech/EXAVITQu4vr4xnSDxMaL/multi-stream-input',
      'eleven_flash_v2_5',
      'ulaw_8000',
      'hi',
      'true',
    ],
    perConnection: 5,
  },
  {
    name: 'cartesia',
    fake: fakeCartesia,
    voiceKey: 'cartesia:95d51f79-c397-46f9-b49a-23763d3eaa2d',
    asked: ({ received }: FakeVendor): unknown =>
      JSON.parse(received.findLast((message) => message.includes('Namaste')) ?? '{}'),
    wants: {
      context_id: expect.any(String),
      model_id: 'sonic-3.5',
      transcript: 'Namaste. ',
      voice: { mode: 'id', id: '95d51f79-c397-46f9-b49a-23763d3eaa2d' },
      language: 'hi',
      output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 },
      continue: true,
      flush: true,
      max_buffer_delay_ms: 0,
      add_timestamps: true,
      generation_config: { speed: 1.1 },
    },
    perConnection: 10,
  },
] as const;

describe.each(CASES)('the voices of $name', ({ name, fake, voiceKey, asked, wants, perConnection }) => {
  let vendor: FakeVendor;
  const providers: TtsProvider[] = [];
  beforeAll(async () => {
    vendor = await startFakeVendor(fake, { settings: { key: KEY } });
  });
  beforeEach(async () => {
    await Promise.all(providers.splice(0).map((provider) => provider.close()));
    Object.assign(vendor.settings, FAKE_SETTINGS, { key: KEY, speed: 0 });
    vendor.connections.length = 0;
    vendor.received.length = 0;
  });
  afterAll(async () => {
    await Promise.all(providers.map((provider) => provider.close()));
    await vendor.close();
  });
  const settings = (apiKey = KEY) => ({ apiKey, baseUrl: vendor.baseUrl, model: null });
  const voice = (apiKey?: string): TtsProvider => {
    const provider = createVoice({ name, settings: settings(apiKey) }, { connectMs: 30_000 });
    providers.push(provider);
    return provider;
  };
  const open = (apiKey?: string, sampleRate: SampleRate = 8000): TtsSession =>
    voice(apiKey).open({ ...VOICE, sampleRate });

  it.each([
    [8000, false],
    [8000, true],
    [16_000, false],
  ] as const)(
    'speaks every word of each sentence, with its place, at %d Hz (other spelling: %s)',
    async (rate, otherSpelling) => {
      Object.assign(vendor.settings, { otherSpelling, oddBytes: true, chunkMs: 130 });
      const context = open(KEY, rate).begin();
      const first = new Sentence(context, TEXT, rate);
      const second = new Sentence(context, 'See you on Friday.', rate);
      context.end();
      expect([(await first.end()).type, (await second.end()).type]).toEqual(['done', 'done']);
      expect([first.text, second.text]).toEqual([TEXT, 'See you on Friday.']);
      for (const [sentence, text] of [
        [first, TEXT],
        [second, 'See you on Friday.'],
      ] as const) {
        const marked = sentence.marks.map(({ textEnd }, i, all) =>
          text.slice(all[i - 1]?.textEnd ?? 0, textEnd).trim(),
        );
        expect(marked).toEqual(text.split(' '));
        // A mark lies between the end of its word and the beginning of the next.
        const { words } = sentence;
        for (const [i, { audioMs }] of sentence.marks.entries()) {
          expect(audioMs).toBeGreaterThanOrEqual((words[i]?.endMs ?? 0) - 45);
          expect(audioMs).toBeLessThanOrEqual((words[i + 1]?.startMs ?? Number.POSITIVE_INFINITY) + 45);
        }
        expect(sentence.events.filter(({ type }) => type === 'usage')).toMatchObject([
          { vendor: name, characters: text.length },
        ]);
      }
    },
  );

  it('ends a sentence before the reply does', async () => {
    const context = open().begin();
    const first = new Sentence(context, TEXT);
    expect(await first.end()).toEqual({ type: 'done' });
    const second = new Sentence(context, 'Anything else?');
    expect(await second.end()).toEqual({ type: 'done' });
    expect(second.text).toBe('Anything else?');
    context.cancel();
  });

  it('speaks several replies on one connection, of several calls too', async () => {
    const provider = voice();
    const texts = Array.from({ length: perConnection }, (_, i) => `This is reply ${i}.`);
    const spoken = texts.map((text) => {
      const context = provider.open({ ...VOICE, sampleRate: 8000 }).begin();
      const sentence = new Sentence(context, text);
      context.end();
      return sentence;
    });
    await Promise.all(spoken.map((sentence) => sentence.end()));
    expect(spoken.map(({ text }) => text)).toEqual(texts);
    expect(vendor.connections).toHaveLength(1);
    const further = Array.from({ length: perConnection + 1 }, () => {
      const context = provider.open({ ...VOICE, sampleRate: 8000 }).begin();
      return new Sentence(context, TEXT);
    });
    await Promise.all(further.map((sentence) => sentence.end()));
    expect(further.every(({ text }) => text === TEXT)).toBe(true);
  });

  it('stops a cancelled reply, drops what still arrives, and speaks the next', async () => {
    Object.assign(vendor.settings, { speed: 20, chunkMs: 100, lateMs: 300 });
    const session = open();
    const reply = session.begin();
    const cancelled = new Sentence(reply, 'one two three four five six seven eight nine ten');
    await expect.poll(() => cancelled.events.some(({ type }) => type === 'audio')).toBe(true);
    reply.cancel();
    const count = cancelled.events.length;
    const next = session.begin();
    const sentence = new Sentence(next, 'Yes, of course.');
    next.end();
    await sentence.end();
    expect(sentence.text).toBe('Yes, of course.');
    expect(cancelled.events).toHaveLength(count);
    expect(vendor.connections).toHaveLength(1);
  });

  it('asks for voice, language and speed of a sentence', async () => {
    const context = open().begin();
    const first = new Sentence(context, TEXT);
    const second = new Sentence(context, 'Namaste.', 8000, { voiceKey, language: 'hi-IN', speed: 1.1 });
    const third = new Sentence(context, TEXT);
    context.end();
    await Promise.all([first, second, third].map((sentence) => sentence.end()));
    expect([first.text, second.text, third.text]).toEqual([TEXT, 'Namaste.', TEXT]);
    if (name === 'elevenlabs')
      vendor.connections.sort((a, b) => Number(a.path.includes('EXA')) - Number(b.path.includes('EXA')));
    expect(asked(vendor)).toEqual(wants);
  });

  it.each([
    ['a wrong key', {}, 'wrong-key', 'the API key is refused'],
    ['no credit', { refuse: 402 }, KEY, 'no credit is left'],
    ['a limit', { refuse: 429 }, KEY, 'too many requests or connections'],
    ['a failure', { refuse: 503 }, KEY, 'the connection failed (status 503)'],
    ['a vendor that does not speak the protocol', { garbage: true }, KEY, 'the request is rejected'],
  ] as const)('names %s', async (_, fault, apiKey, cause) => {
    Object.assign(vendor.settings, fault);
    const sentence = new Sentence(open(apiKey).begin(), `${TEXT} ${TEXT} ${TEXT}`);
    expect(await sentence.end()).toMatchObject({
      type: 'failed',
      message: expect.stringContaining(`${name}: ${cause}`),
    });
    expect(JSON.stringify(sentence.events)).not.toContain(apiKey);
    const tried = await tryVoice({ name, settings: settings(apiKey) });
    expect(tried).toMatchObject({ message: expect.stringContaining(cause) });
  });

  it.each([
    [401, 'the API key is refused'],
    [402, 'no credit is left'],
    [429, 'too many requests or connections'],
  ])('names status %d of a sentence on an open connection', async (status, cause) => {
    vendor.settings.failNext = status;
    const sentence = new Sentence(open().begin(), TEXT);
    expect(await sentence.end()).toMatchObject({ type: 'failed', message: expect.stringContaining(cause) });
  });

  it('answers a trial with the time to its first speech', async () => {
    expect(await tryVoice({ name, settings: settings() })).toEqual(expect.any(Number));
  });

  it('connects while the phone rings, and the first sentence waits for no connection', async () => {
    const provider = voice();
    provider.warm?.({ ...VOICE, sampleRate: 8000 }, '');
    await expect.poll(() => vendor.connections.length).toBe(1);
    const context = provider.open({ ...VOICE, sampleRate: 8000 }).begin();
    await new Sentence(context, TEXT).end();
    expect(vendor.connections).toHaveLength(1);
  });

  it('connects again when the connection is cut in the middle of a sentence, and loses no word', async () => {
    Object.assign(vendor.settings, { cutAtMs: 1_200, speed: 8, chunkMs: 100 });
    const chain = new ChainedVoice([voice(), createFakeTts()]);
    const context = chain.open({ ...VOICE, sampleRate: 8000 }).begin();
    const sentence = new Sentence(context, TEXT);
    context.end();
    expect(await sentence.end()).toEqual({ type: 'done' });
    expect(playedText(sentence)).toBe(TEXT);
    expect(vendor.connections).toHaveLength(2);
    expect(sentence.events.some(({ type }) => type === 'switched')).toBe(false);
  });

  it('hands over when the vendor hangs in the middle of a sentence', async () => {
    Object.assign(vendor.settings, { stallAtMs: 1_200, speed: 8, chunkMs: 100 });
    const other = await startFakeVendor(fakeCartesia, { settings: { key: KEY, speed: 0 } });
    const last = createVoice({ name: 'cartesia', settings: { ...settings(), baseUrl: other.baseUrl } });
    const chain = new ChainedVoice([voice(), last]);
    const context = chain.open({ ...VOICE, sampleRate: 8000 }).begin();
    const sentence = new Sentence(context, TEXT);
    context.end();
    expect(await sentence.end()).toEqual({ type: 'done' });
    expect(playedText(sentence)).toBe(TEXT);
    expect(sentence.events.find(({ type }) => type === 'switched')).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`^${name}: no answer in time: no audio for .* speaks instead$`),
      ),
      fault: { vendor: name, kind: 'timeout', status: null },
    });
    await last.close();
    await other.close();
  });
});

/** The words of a sentence whose voice was replaced in it, as each voice spoke them. */
function playedText({ events }: Sentence): string {
  const parts: Int16Array[] = [new Int16Array(0)];
  for (const event of events) {
    const last = parts.at(-1) ?? new Int16Array(0);
    if (event.type === 'audio') parts.splice(-1, 1, joined([last, event.pcm]));
    if (event.type !== 'cut') continue;
    const before = parts.slice(0, -1).reduce((sum, { length }) => sum + length, 0);
    parts.splice(
      -1,
      1,
      last.subarray(0, Math.max(0, Math.round(event.audioMs * 8) - before)),
      new Int16Array(0),
    );
  }
  return parts.flatMap((pcm) => wordsIn(pcm, 8000).map(({ text }) => text)).join(' ');
}
