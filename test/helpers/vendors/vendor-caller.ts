import { setTimeout as sleep } from 'node:timers/promises';
import { codedSpeech } from '@callwright/stand-ins';
import { FRAME_MS, type SampleRate } from '@callwright/audio';
import type {
  SttEvent,
  SttOptions,
  SttProvider,
  SttSession,
} from '../../../src/providers/ports/recogniser.ts';

/** A caller who speaks in tones to one recogniser session, faster than in real time. */
export class VendorCaller {
  readonly events: SttEvent[] = [];
  readonly session: SttSession;
  readonly #rate: SampleRate;
  readonly #paceMs: number;
  #at = 1_000_000;

  constructor(
    provider: SttProvider,
    {
      rate = 8000,
      paceMs = 1,
      ...options
    }: Partial<SttOptions> & { rate?: SampleRate; paceMs?: number } = {},
  ) {
    this.#rate = rate;
    this.#paceMs = paceMs;
    this.session = provider.open({
      language: 'en-US',
      secondaryLanguage: null,
      vocab: [],
      sampleRate: rate,
      onEvent: (event) => void this.events.push(event),
      ...options,
    });
  }

  /** Audio time so far. */
  audioMs = 0;

  /** The time, as events carry it. */
  get now(): number {
    return this.#at;
  }

  async silence(ms: number): Promise<void> {
    await this.#write(new Int16Array((this.#rate * ms) / 1000));
  }

  /** Says a text; the end of speech is known 80 ms later. */
  async say(text: string, { thenMs = 1_000 }: { thenMs?: number } = {}): Promise<void> {
    this.session.speechStarted(this.#at);
    await this.#write(codedSpeech(text, this.#rate));
    await this.silence(80);
    this.session.speechEnded(this.#at);
    await this.silence(thenMs);
  }

  /** Waits for an event; silence goes on meanwhile, as on the phone. */
  async has(matches: (event: SttEvent) => boolean, limitMs = 90_000): Promise<SttEvent> {
    const until = performance.now() + limitMs;
    for (;;) {
      const found = this.events.find(matches);
      if (found !== undefined) return found;
      if (performance.now() > until) {
        throw new Error(`no such event among ${JSON.stringify(this.events).slice(0, 2_000)}`);
      }
      await this.silence(FRAME_MS);
    }
  }

  texts(type: 'final' | 'partial' | 'eager'): string[] {
    return this.events.flatMap((event) => (event.type === type ? [event.text] : []));
  }

  async #write(pcm: Int16Array): Promise<void> {
    const samples = (this.#rate * FRAME_MS) / 1000;
    for (let from = 0; from < pcm.length; from += samples) {
      const frame = new Int16Array(samples);
      frame.set(pcm.subarray(from, from + samples));
      this.#at += FRAME_MS;
      this.audioMs += FRAME_MS;
      this.session.write(frame, this.#at);
      await sleep(this.#paceMs);
    }
  }
}
