import type { EarEvents } from '../words/ear-api.ts';
import type { HeardWords } from '../words/heard-words.ts';
import { READING_RATE, type Reading } from './reader.ts';
import { readWords } from './read-words.ts';

/** Reads an utterance as a whole; null: no reader is ready. */
export type Read = (pcm: Int16Array) => Promise<Reading> | null;

/** What hears a call piece by piece. */
export interface PieceStream {
  hear(samples: Int16Array): void;
  /** `overMs`: of the audio at the end, the next utterance may have begun. */
  end(overMs: number): void;
  free(): void;
}

/** Longer speech keeps the words that came piece by piece. */
const MOST_SAMPLES = 20 * READING_RATE;

/**
 * One call's recogniser whose final words are read again from the whole utterance. What comes meanwhile waits, so that the
 * events keep their order. A reading that fails leaves the words of the recogniser.
 */
export class ReadStream implements PieceStream {
  readonly #stream: PieceStream;
  readonly #events: EarEvents;
  readonly #read: Read;
  #pieces: Int16Array[] = [];
  #samples = 0;
  /** Pieces, and ends by their `overMs`, that came during a reading. */
  #waiting: (Int16Array | number)[] = [];
  #isReading = false;
  #isFreed = false;

  /** `open`: makes the recogniser with these events. */
  constructor(open: (events: EarEvents) => PieceStream, events: EarEvents, read: Read) {
    this.#events = events;
    this.#read = read;
    this.#stream = open({ ...events, ended: (words, isAsked) => this.#ended(words, isAsked) });
  }

  hear(samples: Int16Array): void {
    if (this.#isReading) this.#waiting.push(samples);
    else this.#hear(samples);
  }

  end(overMs: number): void {
    if (this.#isReading) this.#waiting.push(overMs);
    else this.#end(overMs);
  }

  free(): void {
    this.#isFreed = true;
    this.#stream.free();
  }

  #hear(samples: Int16Array): void {
    if (this.#samples <= MOST_SAMPLES) this.#pieces.push(samples);
    this.#samples += samples.length;
    this.#stream.hear(samples);
  }

  #end(overMs: number): void {
    this.#samples = Math.max(0, this.#samples - (overMs * READING_RATE) / 1_000);
    this.#stream.end(overMs);
  }

  #ended(words: HeardWords | null, isAsked: boolean): void {
    const [pieces, samples] = [this.#pieces, this.#samples];
    [this.#pieces, this.#samples] = [[], 0];
    const reading = words === null || samples > MOST_SAMPLES ? null : this.#read(joined(pieces, samples));
    if (words === null || reading === null) return this.#events.ended(words, isAsked);
    void this.#replace(words, reading, isAsked);
    return undefined;
  }

  /** Sends the words of the reading, or those of the recogniser; then what waited is heard. */
  async #replace(words: HeardWords, reading: Promise<Reading>, isAsked: boolean): Promise<void> {
    this.#isReading = true;
    const read = await reading.catch(() => null);
    this.#isReading = false;
    if (this.#isFreed) return;
    this.#events.ended(read === null ? words : readWords(words, read), isAsked);
    this.#goOn();
  }

  #goOn(): void {
    try {
      while (!this.#isReading && this.#waiting.length > 0) {
        const next = this.#waiting.shift();
        if (typeof next === 'number') this.#end(next);
        else if (next !== undefined) this.#hear(next);
      }
    } catch (error) {
      this.#events.failed(error instanceof Error ? error.message : String(error));
    }
  }
}

/** The first samples of the pieces. */
function joined(pieces: readonly Int16Array[], samples: number): Int16Array {
  const whole = new Int16Array(samples);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece.subarray(0, samples - at), at);
    at = Math.min(samples, at + piece.length);
  }
  return whole;
}
