import type { SampleRate } from '@callwright/audio';
import type { AudioUse } from '../voice/measures.ts';
import { Hearing, type HearingDeps } from './hearing.ts';
import type { CallSpec } from './protocol.ts';

/** Words of the person: `since` is when they began to speak. */
interface PersonWords {
  readonly text: string;
  readonly since: number;
  readonly at: number;
}

/** Last words are waited for this long after the person stopped talking. */
const LINGER_MS = 3_000;

/** Recognises the words of a person who talks in the agent's place, by the recogniser of the call. */
export class PersonEars {
  readonly #hearing: Hearing;
  #since: number | null = null;
  #closesAt: number | null = null;
  #isClosed = false;

  constructor(
    spec: Pick<CallSpec, 'agent'>,
    {
      providers,
      sampleRate,
      onFault,
    }: Pick<HearingDeps, 'providers' | 'onFault'> & { sampleRate: SampleRate },
    onWords: (words: PersonWords) => void,
  ) {
    const { vad, stt } = providers;
    this.#hearing = new Hearing(spec, {
      providers: { vad, stt },
      sampleRate,
      noiseFilter: null,
      press: () => undefined,
      onAnswered: () => undefined,
      onVendor: () => undefined,
      onEars: () => undefined,
      onFault,
      dispatch: (event) => {
        if (event.type === 'speech_started') this.#since ??= event.since;
        if (event.type !== 'final') return;
        const { text, at } = event;
        if (text.trim() !== '') onWords({ text: text.trim(), since: this.#since ?? at, at });
        this.#since = null;
      },
    });
    this.#hearing.expect(null);
  }

  /** A frame of the microphone. */
  audio(pcm: Int16Array, at: number): void {
    if (this.#isClosed) return;
    this.#closesAt = null;
    this.#hearing.audio(pcm, at);
  }

  /** Time passes, every 20 ms of the call. False: the last words are known, and the recogniser is closed. */
  tick(at: number): boolean {
    if (this.#closesAt !== null && at >= this.#closesAt) this.close();
    if (!this.#isClosed) this.#hearing.silence(at);
    return !this.#isClosed;
  }

  /** The person has stopped talking: ends the utterance, and closes once its words are known. */
  end(at: number): void {
    this.#hearing.reset(at);
    this.#closesAt = at + LINGER_MS;
  }

  usage(): readonly AudioUse[] {
    return this.#hearing.usage();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#hearing.close();
  }
}
