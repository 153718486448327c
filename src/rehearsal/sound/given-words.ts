import type { SttProvider, SttSession } from '../../providers/ports/recogniser.ts';
import type { SoundingPiece } from './caller-voice.ts';

/** From one partial result to the next, and from the end of the sound to its words, ms. */
const PARTIAL_MS = 300;
const FINAL_MS = 120;
/** Sounds begin at the ear so much later than at the mouth. */
const LINE_MS = 60;

/**
 * A recogniser that knows the words of its caller: the sound decides when they are heard, and whether. It takes next to no
 * processor time, and hears every language.
 */
export class GivenWords implements SttProvider {
  readonly name = 'given';
  readonly #pieces: SoundingPiece[] = [];
  /** Words that an earlier result had. */
  #taken = 0;

  /** The caller begins these words. */
  begin(pieces: readonly SoundingPiece[]): void {
    this.#pieces.push(...pieces);
  }

  understands(): boolean {
    return true;
  }

  open({ onEvent }: Parameters<SttProvider['open']>[0]): SttSession {
    let isSpeaking = false;
    let shownAt = 0;
    const timers = new Set<NodeJS.Timeout>();
    return {
      write: (_frame, at) => {
        if (!isSpeaking || at - shownAt < PARTIAL_MS) return;
        shownAt = at;
        const text = this.#since(this.#taken, at).join(' ');
        if (text !== '') onEvent({ type: 'partial', text, at, audioMs: null });
      },
      speechStarted: (at) => {
        isSpeaking = true;
        shownAt = at;
      },
      speechEnded: (at) => {
        isSpeaking = false;
        const words = this.#since(this.#taken, at);
        this.#taken += words.length;
        const text = words.join(' ');
        const timer = setTimeout(() => {
          timers.delete(timer);
          const now = at + FINAL_MS;
          onEvent(
            text === ''
              ? { type: 'nothing', at: now }
              : { type: 'final', text, at: now, audioMs: null, confidence: 1 },
          );
        }, FINAL_MS);
        timers.add(timer);
      },
      expect: () => undefined,
      close: () => {
        for (const timer of timers) clearTimeout(timer);
      },
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The words whose sound has arrived by `at`, without the first `skip`. */
  #since(skip: number, at: number): string[] {
    const heard = this.#pieces.flatMap(({ text, from, to }) => {
      const words = text.split(/\s+/u).filter((word) => word !== '');
      const share = (at - LINE_MS - from) / (to - from);
      return words.slice(0, Math.max(0, Math.round(words.length * Math.min(1, share))));
    });
    return heard.slice(skip);
  }
}
