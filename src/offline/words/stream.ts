import { EAR_RATE, type EarEvents } from './ear-api.ts';
import { heardWords, partialText } from './heard-words.ts';
import type { Pointer, WordsLibrary } from './library.ts';

/** One call's recogniser. Its calls block for milliseconds, so it runs in a recogniser thread. */
export class EarStream {
  readonly #library: WordsLibrary;
  readonly #recogniser: Pointer;
  readonly #events: EarEvents;
  #text = '';
  #isFreed = false;

  /** Throws where the model gives no recogniser. */
  constructor(library: WordsLibrary, model: Pointer, events: EarEvents) {
    const recogniser = library.newRecogniser(model, EAR_RATE);
    if (recogniser === null) throw new Error('the model gives no recogniser');
    library.setWords(recogniser, 1);
    this.#library = library;
    this.#recogniser = recogniser;
    this.#events = events;
  }

  hear(samples: Int16Array): void {
    if (this.#isFreed) return;
    const ended = this.#library.accept(this.#recogniser, samples, samples.length);
    if (ended < 0) throw new Error('the recogniser refuses the audio');
    if (ended > 0) {
      this.#end(this.#library.result(this.#recogniser), false);
      this.#events.heard('');
      return;
    }
    const text = partialText(this.#library.partialResult(this.#recogniser));
    this.#events.heard(text === this.#text ? null : text);
    this.#text = text;
  }

  end(): void {
    if (!this.#isFreed) this.#end(this.#library.finalResult(this.#recogniser), true);
  }

  free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#library.free(this.#recogniser);
  }

  #end(result: string, isAsked: boolean): void {
    this.#text = '';
    this.#events.ended(heardWords(result), isAsked);
  }
}

/** Processor time that a second of speech takes, as a share of a core; `cpuMs`: of this thread so far. */
export function shareOf(
  library: WordsLibrary,
  model: Pointer,
  speech: Int16Array,
  cpuMs: () => number,
): number {
  const stream = new EarStream(library, model, {
    heard: () => undefined,
    ended: () => undefined,
    failed: () => undefined,
  });
  const piece = EAR_RATE / 10;
  const decode = (): void => {
    for (let at = 0; at < speech.length; at += piece) stream.hear(speech.subarray(at, at + piece));
    stream.end();
  };
  try {
    // The first run fills the caches of model and processor.
    decode();
    const before = cpuMs();
    decode();
    return ((cpuMs() - before) * EAR_RATE) / 1000 / speech.length;
  } finally {
    stream.free();
  }
}
