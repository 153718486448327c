import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  codedSpeech,
  FAKE_SETTINGS,
  type FakeVendor,
  fakeDeepgram,
  startFakeVendor,
} from '@callwright/stand-ins';
import { deepgramStt } from '../../../src/vendors/deepgram/stt.ts';
import { createSocketStt } from '../../../src/providers/stt/socket-stt.ts';
import { tryRecogniser } from '../../../src/providers/choose/recognisers.ts';
import type { SttProvider } from '../../../src/providers/ports/recogniser.ts';
import { VendorCaller } from '../../helpers/vendors/vendor-caller.ts';

const KEY = 'dg-secret-key-1234';
let vendor: FakeVendor;
beforeAll(async () => {
  vendor = await startFakeVendor(fakeDeepgram, { settings: { key: KEY } });
});
beforeEach(() => {
  Object.assign(vendor.settings, FAKE_SETTINGS, { key: KEY });
  vendor.connections.length = 0;
  vendor.received.length = 0;
});
afterAll(() => vendor.close());

/** No limit of ours passes first, however busy the machine is. */
const PATIENT = { connectMs: 30_000, greetingMs: 30_000, answerMs: 30_000, stallMs: 30_000 };
const provider = (
  model: string | null = null,
  apiKey = KEY,
  limits: Partial<typeof PATIENT> = {},
): SttProvider => {
  const settings = { apiKey, baseUrl: vendor.baseUrl, model };
  return createSocketStt(deepgramStt(settings), settings, { ...PATIENT, ...limits });
};

describe('Deepgram Flux', () => {
  it('turns audio into words with audio times, partials and a certain end', async () => {
    const caller = new VendorCaller(provider());
    await caller.silence(400);
    await caller.say('Cancel my plan please.');
    await caller.has(({ type }) => type === 'final');
    expect(caller.texts('partial').at(0)).toBe('Cancel');
    expect(caller.texts('partial').at(-1)).toBe('Cancel my plan please.');
    expect(caller.texts('eager')).toEqual(['Cancel my plan please.']);
    const final = caller.events.find((event) => event.type === 'final');
    expect(final).toMatchObject({ text: 'Cancel my plan please.', endpoint: 'certain', turn: '0' });
    if (final?.type !== 'final') throw new Error('no final');
    // The first word began with the sound, 400 ms after the first sample; the end was found 400 ms after the last word.
    expect(final.words?.[0]).toMatchObject({ text: 'Cancel', startMs: 400 });
    expect(final.audioMs).toBeCloseTo((final.words?.at(-1)?.endMs ?? 0) + 400, -2);
    caller.session.close();
  });

  it('resumes a turn after an eager end', async () => {
    const caller = new VendorCaller(provider());
    await caller.say('I want', { thenMs: 200 });
    await caller.say('a table.');
    await caller.has(({ type }) => type === 'final');
    const types = caller.events.map(({ type }) => type).filter((type) => type !== 'partial');
    expect(types).toEqual(['eager', 'resumed', 'eager', 'final']);
    expect(caller.texts('final')).toEqual(['I want a table.']);
    caller.session.close();
  });

  it.each([
    [8000, 'mulaw', '8000'],
    [16_000, 'linear16', '16000'],
  ] as const)(
    'sends a call at %d Hz as %s, with key terms and without other languages',
    async (rate, encoding, wire) => {
      const caller = new VendorCaller(provider(), { rate, vocab: ['Call wright', 'Bombay+'] });
      await caller.say('Hello there.');
      await caller.has(({ type }) => type === 'final');
      const query = vendor.connections[0]?.query;
      expect([query?.get('encoding'), query?.get('sample_rate')]).toEqual([encoding, wire]);
      expect(query?.getAll('keyterm')).toEqual(['Call wright', 'Bombay+']);
      expect(query?.get('model')).toBe('flux-general-en');
      caller.session.close();
      await expect.poll(() => vendor.received.at(-1)).toBe('{"type":"CloseStream"}');
    },
  );

  it('takes the multilingual model with hints for Hindi beside English, and Nova-3 for Tamil', async () => {
    const mixed = new VendorCaller(provider(), { language: 'en-IN', secondaryLanguage: 'hi-IN' });
    const tamil = new VendorCaller(provider(), { language: 'ta-IN' });
    await expect.poll(() => vendor.connections.length).toBe(2);
    const [first, second] = vendor.connections.toSorted((a, b) => b.path.localeCompare(a.path));
    expect(first?.query.get('model')).toBe('flux-general-multi');
    expect(first?.query.getAll('language_hint')).toEqual(['en', 'hi']);
    expect(second?.path).toBe('/v1/listen');
    expect(second?.query.get('language')).toBe('ta');
    expect(provider().understands('od-IN')).toBe(false);
    expect(provider('flux-general-en').understands('ta-IN')).toBe(false);
    mixed.session.close();
    tamil.session.close();
  });

  it('keeps the audio of the time before the connection is ready', async () => {
    vendor.settings.firstByteMs = 150;
    const caller = new VendorCaller(provider());
    await caller.say('Hello there.');
    const final = await caller.has(({ type }) => type === 'final');
    expect(final).toMatchObject({ text: 'Hello there.' });
    caller.session.close();
  });

  it.each([
    [
      'a wrong key',
      {},
      'wrong',
      /^deepgram: the API key is refused \(status 401\): Invalid credentials/,
      false,
    ],
    ['no credit', { refuse: 402 }, KEY, /^deepgram: no credit is left \(status 402\)/, false],
    ['a limit', { refuse: 429 }, KEY, /^deepgram: too many requests or connections \(status 429\)/, false],
    ['its own failure', { refuse: 503 }, KEY, /^deepgram: the connection failed \(status 503\)/, true],
    ['a hang', { hang: true }, KEY, /no first message within 300 ms/, false, { greetingMs: 300 }],
    ['garbage', { garbage: true }, KEY, /no first message within 300 ms/, false, { greetingMs: 300 }],
    ['a cut', { cutAtMs: 200 }, KEY, /closed with code 1006/, true],
  ] as const)(
    'names %s',
    async (_, fault, key, message, retryable, limits?: { readonly greetingMs: number }) => {
      Object.assign(vendor.settings, fault);
      const caller = new VendorCaller(provider(null, key, limits));
      await caller.say('Hello there.');
      const failed = await caller.has(({ type }) => type === 'failed');
      expect(failed).toMatchObject({ retryable });
      expect(failed.type === 'failed' && failed.message).toMatch(message);
      expect(JSON.stringify(caller.events)).not.toContain(key);
      expect(caller.events.filter(({ type }) => type === 'failed')).toHaveLength(1);
    },
  );

  it('names a refused connection', async () => {
    const settings = { apiKey: KEY, baseUrl: 'http://127.0.0.1:1', model: null };
    const caller = new VendorCaller(createSocketStt(deepgramStt(settings), settings));
    const failed = await caller.has(({ type }) => type === 'failed');
    expect(failed).toMatchObject({
      message: 'deepgram: the connection failed: ECONNREFUSED',
      retryable: true,
    });
  });

  it('gives up a vendor that falls silent during speech', async () => {
    const caller = new VendorCaller(provider(null, KEY, { answerMs: 1_000, stallMs: 1_000 }), { paceMs: 5 });
    await caller.say('Hello there.');
    await caller.has(({ type }) => type === 'final');
    vendor.settings.hang = true;
    caller.events.length = 0;
    const saying = caller.say('What time do you open?');
    const failed = await caller.has(({ type }) => type === 'failed');
    await saying;
    expect(failed).toMatchObject({ message: expect.stringContaining('no answer in time'), retryable: false });
  });
});

describe('the check of the installation', () => {
  const tried = (apiKey: string, model: string | null = null) =>
    tryRecogniser(
      { name: 'deepgram', settings: { apiKey, baseUrl: vendor.baseUrl, model } },
      undefined,
      codedSpeech('Hello there.', 8000),
    );

  it('speaks as a call does, and names what is wrong', async () => {
    expect(await tried(KEY)).toMatchObject({ heard: 'Hello there.' });
    expect(await tried(KEY, 'nova-3')).toMatchObject({ heard: 'Hello there.' });
    expect(await tried('wrong-key')).toMatchObject({ kind: 'key' });
    vendor.settings.refuse = 402;
    expect(await tried(KEY)).toMatchObject({ kind: 'credit' });
  });
});

describe('Deepgram Nova-3', () => {
  it('joins segments into one final at the end of speech, with interim results', async () => {
    const caller = new VendorCaller(provider('nova-3'));
    await caller.silence(200);
    await caller.say('I want a table. For two.');
    const final = await caller.has(({ type }) => type === 'final');
    expect(final).toMatchObject({ text: 'I want a table. For two.', confidence: 0.98 });
    expect(final).not.toHaveProperty('endpoint');
    expect(final.type === 'final' && final.words?.[0]).toMatchObject({ text: 'I', startMs: 200 });
    expect(caller.texts('partial').length).toBeGreaterThan(1);
    expect(vendor.received).toContain('{"type":"Finalize"}');
    caller.session.close();
  });

  it('reports speech without words', async () => {
    const caller = new VendorCaller(provider('nova-3'));
    caller.session.speechStarted(0);
    await caller.silence(500);
    caller.session.speechEnded(0);
    expect(await caller.has(({ type }) => type === 'nothing')).toMatchObject({ type: 'nothing' });
    caller.session.close();
  });

  it('refuses key terms of an older model at the connection', async () => {
    const caller = new VendorCaller(provider('nova-9'), { vocab: ['Callwright'] });
    expect(await caller.has(({ type }) => type === 'failed')).toMatchObject({
      message: expect.stringContaining('status 403'),
    });
  });
});
