import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FAKE_SETTINGS,
  type FakeProtocol,
  type FakeVendor,
  fakeAssemblyai,
  fakeDeepgram,
  fakeElevenlabs,
  fakeOpenai,
  fakeSarvam,
  fakeSherpa,
  fakeVosk,
  startFakeVendor,
} from '@callwright/stand-ins';
import type { SttVendorName } from '../../src/vendors/catalogue.ts';
import { createRecogniser } from '../../src/providers/choose/recognisers.ts';
import { ChainedRecogniser } from '../../src/providers/stt/chained.ts';
import type { SttProvider } from '../../src/providers/ports/recogniser.ts';
import { toneRecogniser } from '../helpers/audio/tone-recogniser.ts';
import { VendorCaller } from '../helpers/vendors/vendor-caller.ts';

const KEY = 'dg-secret-key-5678';
let vendor: FakeVendor;
beforeAll(async () => {
  vendor = await startFakeVendor(fakeDeepgram, { settings: { key: KEY } });
});
beforeEach(() => {
  Object.assign(vendor.settings, FAKE_SETTINGS, { key: KEY });
  vendor.connections.length = 0;
});
afterAll(() => vendor.close());

const SOCKETS: readonly (readonly [SttVendorName, string | null, FakeProtocol])[] = [
  ['deepgram', 'flux-general-en', fakeDeepgram],
  ['deepgram', 'nova-3', fakeDeepgram],
  ['assemblyai', null, fakeAssemblyai],
  ['sarvam', null, fakeSarvam],
  ['elevenlabs', null, fakeElevenlabs],
  ['openai', null, fakeOpenai],
  ['vosk', null, fakeVosk],
  ['sherpa', null, fakeSherpa],
];
const plain = (text: string): string[] => text.toLowerCase().replaceAll(/[.,]/g, '').split(/\s+/u);
const TEXT = 'I want to book a table for two on Friday.';
const recognisers = (baseUrl = vendor.baseUrl, apiKey = KEY): SttProvider =>
  new ChainedRecogniser([
    createRecogniser({ name: 'deepgram', settings: { apiKey, baseUrl, model: null } }),
    toneRecogniser,
  ]);

describe('recognition of a call whose vendor fails', () => {
  it.each([['nova-3'], ['flux-general-en']])(
    'keeps the times of the words when the connection to %s is cut in the middle of an utterance',
    async (model) => {
      vendor.settings.cutAtMs = 1_500;
      const choice = { name: 'deepgram', settings: { apiKey: KEY, baseUrl: vendor.baseUrl, model } } as const;
      const caller = new VendorCaller(new ChainedRecogniser([createRecogniser(choice), toneRecogniser]), {
        paceMs: 3,
      });
      await caller.silence(400);
      await caller.say(TEXT);
      const final = await caller.has(({ type }) => type === 'final');
      expect(final).toMatchObject({ text: TEXT });
      expect(vendor.connections).toHaveLength(2);
      // The first word sounds 400 ms after the first sample.
      expect(final.type === 'final' && final.words?.[0]?.startMs).toBeCloseTo(400, -2);
      expect(caller.events.filter(({ type }) => type === 'failed' || type === 'switched')).toEqual([]);
      caller.session.close();
    },
  );

  // At real speed, all at once: about 6 s.
  it('has every word at most 1 s later when a connection is cut in an utterance, with every vendor', async () => {
    const held = await Promise.all(
      SOCKETS.map(async ([name, model, protocol]) => {
        /** The words, from the end of the speech to the last of them, and how often it connected. */
        const heard = async (cutAtMs: number | null) => {
          const fake = await startFakeVendor(protocol, { settings: { cutAtMs } });
          const choice = { name, settings: { apiKey: KEY, baseUrl: fake.baseUrl, model } };
          const caller = new VendorCaller(new ChainedRecogniser([createRecogniser(choice), toneRecogniser]), {
            paceMs: 20,
          });
          await caller.silence(400);
          await caller.say(TEXT, { thenMs: 0 });
          const saidAt = caller.now;
          const words = (): string[] => plain(caller.texts('final').join(' '));
          await caller.has(() => words().length >= plain(TEXT).length);
          const heardAt = caller.events.findLast(({ type }) => type === 'final')?.at ?? 0;
          caller.session.close();
          await fake.close();
          return { words: words(), afterMs: heardAt - saidAt, connections: fake.connections.length };
        };
        const [whole, cut] = await Promise.all([heard(null), heard(1_500)]);
        return { vendor: `${name} ${model ?? ''}`, cut, laterMs: cut.afterMs - whole.afterMs };
      }),
    );
    for (const { vendor, cut, laterMs } of held) {
      expect([vendor, cut.words, cut.connections]).toEqual([vendor, plain(TEXT), 2]);
      expect([vendor, laterMs <= 1_000 ? 'in time' : laterMs]).toEqual([vendor, 'in time']);
    }
  });

  it('hands an utterance over to the recogniser of this machine when the vendor hangs in it', async () => {
    const caller = new VendorCaller(recognisers(), { paceMs: 20 });
    await caller.say('Hello.', { thenMs: 500 });
    await caller.has(({ type }) => type === 'final');
    vendor.settings.hang = true;
    const before = caller.audioMs;
    await caller.say('Yes please.', { thenMs: 0 });
    await caller.has((event) => event.type === 'final' && event.text === 'Yes please.');
    // The words take 0.7 s; a caller waits 2.5 s at most, of the audio that goes on meanwhile.
    expect(caller.audioMs - before).toBeLessThan(700 + 2_500);
    expect(caller.events.find(({ type }) => type === 'switched')).toMatchObject({
      message: expect.stringMatching(/^deepgram: no answer in time: .*; offline recognises instead$/),
    });
    caller.session.close();
  });

  it.each([
    ['is not there', 'http://127.0.0.1:1', KEY, {}, /ECONNREFUSED/],
    ['refuses the key', null, 'dg-another-key', {}, /the API key is refused \(status 401\)/],
    ['has no credit for us', null, KEY, { refuse: 402 }, /no credit is left \(status 402\)/],
    ['has too many calls', null, KEY, { refuse: 429 }, /too many requests or connections \(status 429\)/],
    ['does not greet', null, KEY, { firstByteMs: 3_000 }, /no answer in time/],
  ])('hears the first words of a caller although the vendor %s', async (_, url, key, fault, message) => {
    Object.assign(vendor.settings, fault);
    const stt = recognisers(url ?? undefined, key);
    const caller = new VendorCaller(stt, { paceMs: 12 });
    await caller.say('Book it.', { thenMs: 0 });
    const final = await caller.has(({ type }) => type === 'final');
    expect(final).toMatchObject({ text: 'Book it.' });
    const reports = caller.events.filter((event) => event.type === 'switched' && event.fault !== undefined);
    // Asked again after a moment, it fails again, in time or not.
    expect(reports.length).toBeGreaterThan(0);
    for (const report of reports) expect(report).toMatchObject({ message: expect.stringMatching(message) });
    expect(JSON.stringify(caller.events)).not.toContain(key);

    // The next call asks the only vendor again, unless it refused the key, and says why another one hears.
    const connections = vendor.connections.length;
    const next = new VendorCaller(stt, { paceMs: 12 });
    await next.say('Now.', { thenMs: 0 });
    await next.has(({ type }) => type === 'final');
    expect(next.events.find(({ type }) => type === 'switched')).toMatchObject({
      message: expect.stringMatching(/offline recognises instead$/),
    });
    expect(key === KEY || vendor.connections.length === connections).toBe(true);
    caller.session.close();
    next.session.close();
  });
});
