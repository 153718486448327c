import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  codedSpeech,
  FAKE_SETTINGS,
  type FakeProtocol,
  type FakeVendor,
  startFakeVendor,
} from '@callwright/stand-ins';
import type { SocketLimits } from '../../../src/providers/stt/socket-stt.ts';
import { createRecogniser, tryRecogniser } from '../../../src/providers/choose/recognisers.ts';
import type { SttVendorName } from '../../../src/vendors/catalogue.ts';
import { VendorCaller } from '../vendors/vendor-caller.ts';

const KEY = 'secret-key-90';
/** The speech of the check. */
const HELLO = codedSpeech('Hello there.', 8000);
/** A busy machine may be slow to deliver what a vendor answers. */
const PATIENT: SocketLimits = { connectMs: 30_000, greetingMs: 30_000, answerMs: 30_000 };
const IMPATIENT: SocketLimits = { connectMs: 500, greetingMs: 300, answerMs: 450 };

/** What differs between the recognisers that end utterances, not turns. */
export interface RecogniserCase {
  readonly name: SttVendorName;
  readonly fake: FakeProtocol;
  readonly hasPartials: boolean;
  /** Silence between two utterances that it takes apart. */
  readonly pauseMs?: number;
  /** It takes no key. */
  readonly isKeyless?: boolean;
  /** It writes lower case without punctuation. */
  readonly isPlain?: boolean;
  /** Our end of speech ends its utterances. */
  readonly isCommitted?: boolean;
  /** Its finals have no audio time. */
  readonly isUntimed?: boolean;
  /** A server that hangs cannot be told from one that hears nothing. */
  readonly mayBeSilent?: boolean;
  /** Its last message, if it has one. */
  readonly bye?: string;
  /** Tells what it was asked for, by a call in Tamil with a word to know. */
  asked?: (vendor: FakeVendor) => unknown;
  readonly wants?: unknown;
}

/** The contract of every recogniser, over a real socket against its stand-in. */
export function recogniserContract(subject: RecogniserCase): void {
  const { name, fake, hasPartials, bye, asked, wants, isKeyless = false, isUntimed = false } = subject;
  const written = (text: string): string =>
    subject.isPlain === true ? text.toLowerCase().replaceAll(/[.,]/g, '') : text;
  describe(`recogniser ${name}`, () => {
    let vendor: FakeVendor;
    beforeAll(async () => {
      vendor = await startFakeVendor(fake, { settings: { key: KEY } });
    });
    beforeEach(() => {
      Object.assign(vendor.settings, FAKE_SETTINGS, { key: KEY });
      vendor.connections.length = 0;
      vendor.received.length = 0;
    });
    afterAll(() => vendor.close());
    const settings = (apiKey = KEY) => ({ apiKey, baseUrl: vendor.baseUrl, model: null });
    const recogniser = (apiKey?: string, limits: SocketLimits = PATIENT) =>
      createRecogniser({ name, settings: settings(apiKey) }, limits);

    it('turns each utterance into one final, in order', async () => {
      const caller = new VendorCaller(recogniser());
      await caller.silence(400);
      await caller.say('I want to book a table for two please.', { thenMs: subject.pauseMs ?? 600 });
      await caller.say('On Friday.');
      await caller.has((event) => event.type === 'final' && event.text === written('On Friday.'));
      expect(caller.texts('final')).toEqual(
        ['I want to book a table for two please.', 'On Friday.'].map(written),
      );
      expect(caller.texts('partial').length > 0).toBe(hasPartials);
      // A vendor may repeat them.
      const partials = caller.texts('partial');
      expect(partials.filter((text, i) => text === partials[i - 1])).toEqual([]);
      expect(caller.events.every((event) => event.type !== 'failed')).toBe(true);
      const [first] = caller.events.filter(({ type }) => type === 'final');
      const heardMs = first?.type === 'final' ? first.audioMs : -1;
      // It covers the sound, which ended before the pause.
      const isCovering = heardMs !== null && heardMs > 400 + 38 * 40 && heardMs < caller.audioMs;
      expect([heardMs === null, isCovering]).toEqual([isUntimed, !isUntimed]);
      caller.session.close();
      await expect.poll(() => (bye === undefined ? bye : vendor.received.at(-1))).toBe(bye);
    });

    it.skipIf(subject.isCommitted !== true)(
      'is not ended by the short pauses within an utterance',
      async () => {
        const caller = new VendorCaller(recogniser());
        await caller.say('I want', { thenMs: 60 });
        await caller.say('to book', { thenMs: 140 });
        await caller.say('a table.');
        await caller.has((event) => event.type === 'final');
        await caller.silence(400);
        expect(caller.texts('final')).toEqual([written('I want to book a table.')]);
        caller.session.close();
      },
    );

    it('hears a call at 16 kHz', async () => {
      const caller = new VendorCaller(recogniser(), { rate: 16_000 });
      await caller.say('Hello there.');
      expect(await caller.has(({ type }) => type === 'final')).toMatchObject({
        text: written('Hello there.'),
      });
      caller.session.close();
    });

    it.skipIf(asked === undefined)(
      'asks for the language, the audio of the phone and the words to know',
      async () => {
        const caller = new VendorCaller(recogniser(), { language: 'ta-IN', vocab: ['Callwright'] });
        await caller.say('Hello.');
        await caller.has(({ type }) => type === 'final');
        expect(asked?.(vendor)).toEqual(wants);
        caller.session.close();
      },
    );

    it.each([
      ...(isKeyless ? [] : [['a wrong key', {}, 'wrong-key', 'the API key is refused'] as const]),
      ['no credit', { refuse: 402 }, KEY, 'no credit is left'],
      ['a limit', { refuse: 429 }, KEY, 'too many requests or connections'],
      ['a failure', { refuse: 500 }, KEY, 'the connection failed (status 500)'],
    ] as const)('names %s, in a call and to the operator', async (_, fault, key, cause) => {
      Object.assign(vendor.settings, fault);
      const caller = new VendorCaller(recogniser(key));
      await caller.say('Hello.');
      const failed = await caller.has(({ type }) => type === 'failed');
      expect(failed.type === 'failed' && failed.message).toContain(`${name}: ${cause}`);
      expect(JSON.stringify(caller.events)).not.toContain(key);
      caller.session.close();
      expect(await tryRecogniser({ name, settings: settings(key) }, undefined, HELLO)).toMatchObject({
        message: expect.stringContaining(cause),
      });
    });

    it('writes the words of the spoken check', async () => {
      expect(await tryRecogniser({ name, settings: settings() }, undefined, HELLO)).toEqual({
        ms: expect.any(Number),
        heard: written('Hello there.'),
      });
    });

    it.skipIf(subject.mayBeSilent)('gives up a vendor that hangs', async () => {
      vendor.settings.hang = true;
      const caller = new VendorCaller(recogniser(KEY, IMPATIENT), { paceMs: 4 });
      await caller.say('I want to book a table for two please.');
      const failed = await caller.has(({ type }) => type === 'failed');
      expect(failed).toMatchObject({
        message: expect.stringContaining('no answer in time'),
        retryable: false,
      });
      caller.session.close();
    });
  });
}
