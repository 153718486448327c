import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  FAKE_SETTINGS,
  type FakeProtocol,
  type FakeVendor,
  startFakeVendor,
  wordsIn,
} from '@callwright/stand-ins';
import type { SampleRate } from '@callwright/audio';
import type {
  TtsContext,
  TtsEvent,
  TtsOptions,
  TtsProvider,
  TtsVoice,
} from '../../../src/providers/ports/voice.ts';
import type { VendorSettings } from '../../../src/vendors/catalogue.ts';
import { joined } from '../../../src/offline/speech/speech-audio.ts';

const KEY = 'secret-key-91';
const TEXT = 'Your table is booked, thank you.';

/** A sentence as it was spoken. */
export class Spoken {
  readonly events: TtsEvent[] = [];
  readonly #rate: SampleRate;

  constructor(rate: SampleRate = 8000) {
    this.#rate = rate;
  }

  say(context: TtsContext, text: string, voice?: Partial<TtsVoice>): this {
    context.say(text, (event) => this.events.push(event), voice);
    return this;
  }

  /** The words in its audio. */
  get words(): string {
    const pcm = this.events.flatMap((event) => (event.type === 'audio' ? [event.pcm] : []));
    return wordsIn(joined(pcm), this.#rate)
      .map(({ text }) => text)
      .join(' ');
  }

  /** Waits for its end. */
  async end(): Promise<TtsEvent> {
    const isOver = (): boolean => ['done', 'failed'].includes(this.events.at(-1)?.type ?? '');
    await vi.waitUntil(isOver, { timeout: 60_000 });
    return this.events.at(-1) as TtsEvent;
  }
}

/** What differs between speakers without marks. */
export interface SpeakerCase {
  readonly name: string;
  readonly fake: FakeProtocol;
  readonly provider: (settings: VendorSettings) => TtsProvider;
  /** The key of a voice, and what the vendor was asked for with it in `language`. */
  readonly voiceKey: string;
  readonly language: TtsOptions['language'];
  readonly asked: (vendor: FakeVendor) => unknown;
  readonly wants: unknown;
  /** It takes no key unless one is set. */
  readonly isOverHttp?: boolean;
}

/** The contract of a speaker, over a real socket against its stand-in. */
export function speakerContract(subject: SpeakerCase): void {
  const { name, fake, voiceKey, language } = subject;
  describe(`speaker ${name}`, () => {
    let vendor: FakeVendor;
    const providers: TtsProvider[] = [];
    beforeAll(async () => {
      vendor = await startFakeVendor(fake, { settings: { key: KEY } });
    });
    beforeEach(async () => {
      await Promise.all(providers.splice(0).map((provider) => provider.close()));
      Object.assign(vendor.settings, FAKE_SETTINGS, { key: KEY, speed: 0 });
      vendor.connections.length = 0;
      vendor.requests.length = 0;
      vendor.received.length = 0;
    });
    afterAll(async () => {
      await Promise.all(providers.map((provider) => provider.close()));
      await vendor.close();
    });
    const open = ({ rate = 8000, apiKey = KEY }: { rate?: SampleRate; apiKey?: string } = {}) => {
      const provider = subject.provider({ apiKey, baseUrl: vendor.baseUrl, model: null });
      providers.push(provider);
      return provider.open({ voiceKey: 'flite:slt', language, speed: 1, sampleRate: rate });
    };

    it.each([8000, 16_000] as const)('speaks the sentences of a reply in order, at %d Hz', async (rate) => {
      vendor.settings.oddBytes = true;
      const context = open({ rate }).begin();
      const [first, second] = [new Spoken(rate), new Spoken(rate)];
      first.say(context, TEXT);
      second.say(context, 'See you on Friday.');
      context.end();
      expect([(await first.end()).type, (await second.end()).type]).toEqual(['done', 'done']);
      expect([first.words, second.words]).toEqual([TEXT, 'See you on Friday.']);
      const usage = [first, second].map(({ events }) => events.filter(({ type }) => type === 'usage'));
      expect(usage).toMatchObject([
        [{ vendor: name, characters: TEXT.length }],
        [{ vendor: name, characters: 18 }],
      ]);
      expect(first.events.some(({ type }) => type === 'marks')).toBe(false);
    });

    it('speaks one reply after the other, also where the end of a reply comes late', async () => {
      const session = open();
      for (const text of ['First reply.', 'Second reply.', 'Third reply.']) {
        const context = session.begin();
        const spoken = new Spoken().say(context, text);
        await spoken.end();
        context.end();
        expect(spoken.words).toBe(text);
      }
      expect(vendor.connections.length).toBe(subject.isOverHttp === true ? 0 : 1);
    });

    it('stops a cancelled reply, drops what still arrives, and speaks the next', async () => {
      Object.assign(vendor.settings, { speed: 20, chunkMs: 100, lateMs: 300 });
      const session = open();
      const reply = session.begin();
      const cancelled = new Spoken().say(reply, 'one two three four five six seven eight nine ten');
      await expect.poll(() => cancelled.events.some(({ type }) => type === 'audio')).toBe(true);
      reply.cancel();
      const count = cancelled.events.length;
      const next = session.begin();
      const spoken = new Spoken().say(next, 'Yes, of course.');
      next.end();
      await spoken.end();
      expect(spoken.words).toBe('Yes, of course.');
      expect(cancelled.events).toHaveLength(count);
    });

    it('asks for the voice, the language and the speed', async () => {
      const context = open().begin();
      await new Spoken().say(context, TEXT, { voiceKey, speed: 1.2 }).end();
      context.end();
      expect(subject.asked(vendor)).toEqual(subject.wants);
    });

    it.each([
      ['a wrong key', {}, 'wrong-key', 'the API key is refused', false],
      ['no credit', { refuse: 402 }, KEY, 'no credit is left', false],
      ['a limit', { refuse: 429 }, KEY, 'too many requests or connections', false],
      ['a failure', { refuse: 503 }, KEY, 'the connection failed (status 503)', true],
    ] as const)('names %s', async (_, fault, apiKey, cause, retryable) => {
      Object.assign(vendor.settings, fault);
      const spoken = new Spoken().say(open({ apiKey }).begin(), TEXT);
      const failed = await spoken.end();
      expect(failed).toMatchObject({ message: expect.stringContaining(`${name}: ${cause}`), retryable });
      expect(JSON.stringify(spoken.events)).not.toContain(apiKey);
    });

    it.each([
      [401, 'the API key is refused'],
      [402, 'no credit is left'],
      [429, 'too many requests or connections'],
    ])('names status %d of a text on an open connection', async (status, cause) => {
      vendor.settings.failNext = status;
      const failed = await new Spoken().say(open().begin(), TEXT).end();
      expect(failed).toMatchObject({ type: 'failed', message: expect.stringContaining(cause) });
    });

    it('says what broke in the middle of a sentence, and speaks again on a new connection', async () => {
      Object.assign(vendor.settings, { cutAtMs: 400, speed: 50, chunkMs: 100 });
      const session = open();
      const cut = new Spoken().say(session.begin(), TEXT);
      expect(await cut.end()).toMatchObject({ type: 'failed', retryable: true });
      expect(TEXT.startsWith(cut.words) && cut.words !== '').toBe(true);
      const again = session.begin();
      const spoken = new Spoken().say(again, TEXT);
      again.end();
      await spoken.end();
      expect(spoken.words).toBe(TEXT);
    });

    it('names a vendor that does not speak the protocol', async () => {
      vendor.settings.garbage = true;
      const failed = await new Spoken().say(open().begin(), TEXT).end();
      expect(failed).toMatchObject({ type: 'failed', message: expect.stringContaining('rejected') });
    });
  });
}
