import { ReceivedAudio, type FakeEncoding } from './received-audio.ts';
import type { CodedWord } from './word-code.ts';

export interface UtteranceEvents {
  /** The words so far, at each multiple of `everyMs` of audio in which they have grown. */
  onPartial?: (words: readonly CodedWord[]) => void;
  /** The first word of an utterance has ended. */
  onBegin?: () => void;
  /** Silence has lasted for `endMs`. */
  onEnd?: (words: readonly CodedWord[]) => void;
}

/** Utterances of received audio, on the audio clock; `endMs` null: they end only when they are taken. */
export class FakeUtterances {
  readonly audio: ReceivedAudio;
  readonly #events: UtteranceEvents;
  readonly #everyMs: number;
  readonly #endMs: () => number | null;
  #words: CodedWord[] = [];
  #told = 0;
  #nextMs: number;

  constructor(
    format: { encoding: FakeEncoding; rate: number },
    pace: { everyMs: number; endMs: () => number | null },
    events: UtteranceEvents,
  ) {
    this.audio = new ReceivedAudio(format.encoding, format.rate);
    this.#events = events;
    this.#everyMs = pace.everyMs;
    this.#endMs = pace.endMs;
    this.#nextMs = pace.everyMs;
  }

  push(data: Buffer): void {
    this.audio.push(data, (heard) => this.#step(heard));
  }

  /** The words since the last end, which end here. */
  take(): readonly CodedWord[] {
    const words = this.#words;
    this.#words = [];
    this.#told = 0;
    return words;
  }

  #step(heard: readonly CodedWord[]): void {
    const { onBegin, onPartial, onEnd } = this.#events;
    if (heard.length > 0 && this.#words.length === 0) onBegin?.();
    this.#words.push(...heard);
    const { audioMs, isSounding } = this.audio;
    if (audioMs >= this.#nextMs) {
      this.#nextMs += this.#everyMs;
      if (this.#words.length > this.#told) {
        this.#told = this.#words.length;
        onPartial?.(this.#words);
      }
    }
    const last = this.#words.at(-1);
    const endMs = this.#endMs();
    if (last === undefined || isSounding || endMs === null) return;
    if (audioMs - last.endMs >= endMs) onEnd?.(this.take());
  }
}

export const textOf = (words: readonly CodedWord[]): string => words.map(({ text }) => text).join(' ');
