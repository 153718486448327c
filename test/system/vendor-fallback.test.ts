import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeDeepgram } from '../../src/providers/fake/vendors/deepgram.ts';
import {
  FAKE_SETTINGS,
  startFakeVendor,
  type FakeVendor,
} from '../../src/providers/fake/vendors/fake-vendor.ts';
import { WordListener } from '../../src/providers/fake/vendors/word-code.ts';
import { createVendorStt } from '../../src/providers/stt/vendors.ts';
import type { SttProvider } from '../../src/voice/ports.ts';
import { VendorCaller } from '../helpers/vendor-caller.ts';

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

/** Stands for the recogniser on this machine: an utterance at a time. */
const local: SttProvider = {
  name: 'offline',
  understands: () => true,
  open({ onEvent }) {
    const listener = new WordListener(8000);
    let words: string[] = [];
    return {
      write: (frame) => listener.push(frame, ({ text }) => words.push(text)),
      speechStarted: () => undefined,
      speechEnded(at) {
        const text = words.join(' ');
        words = [];
        queueMicrotask(() => onEvent({ type: 'final', text, confidence: 1, audioMs: listener.audioMs, at }));
      },
      expect: () => undefined,
      close: () => undefined,
    };
  },
  close: () => Promise.resolve(),
};

const TEXT = 'I want to book a table for two on Friday.';
const recognisers = (baseUrl = vendor.baseUrl, apiKey = KEY): SttProvider =>
  createVendorStt([{ name: 'deepgram', settings: { apiKey, baseUrl, model: null } }], local);

describe('recognition of a call whose vendor fails', () => {
  it.each([['nova-3'], ['flux-general-en']])(
    'loses no word when the connection to %s is cut in the middle of an utterance',
    async (model) => {
      vendor.settings.cutAtMs = 1_500;
      const choice = { name: 'deepgram', settings: { apiKey: KEY, baseUrl: vendor.baseUrl, model } } as const;
      const caller = new VendorCaller(createVendorStt([choice], local), { paceMs: 3 });
      await caller.silence(400);
      await caller.say(TEXT);
      const final = await caller.has(({ type }) => type === 'final');
      expect(final).toMatchObject({ text: TEXT });
      expect(vendor.connections).toHaveLength(2);
      // Its words lie where they sounded: the first one 400 ms after the first sample.
      expect(final.type === 'final' && final.words?.[0]?.startMs).toBeCloseTo(400, -2);
      expect(caller.events.filter(({ type }) => type === 'failed' || type === 'switched')).toEqual([]);
      caller.session.close();
    },
  );

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
    const reports = caller.events.filter(({ type }) => type === 'switched');
    expect(reports).toMatchObject([{ message: expect.stringMatching(message) }]);
    expect(JSON.stringify(caller.events)).not.toContain(key);

    // The next call does not try the vendor, and says why.
    const connections = vendor.connections.length;
    const next = new VendorCaller(stt, { paceMs: 0 });
    await next.say('Now.', { thenMs: 0 });
    await next.has(({ type }) => type === 'final');
    expect(next.events[0]).toMatchObject({ type: 'switched' });
    expect(vendor.connections).toHaveLength(connections);
    caller.session.close();
    next.session.close();
  });
});
