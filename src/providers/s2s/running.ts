import type { Scheduler } from '../../shared/clock.ts';
import type { SpeechDecoder } from '../tts/speech-decoder.ts';
import type { S2sStream } from './reply.ts';

/** Limits of a vendor to the beginning of a reply, and to its next message. */
const FIRST_NEWS_MS = 1_300;
const NEXT_NEWS_MS = 2_000;

/** A reply, or a line that is read aloud, which the vendor has not finished. */
export interface Running {
  readonly stream: S2sStream;
  readonly decoder: SpeechDecoder;
  /** Something of it has come. */
  readonly hasBegun: boolean;
}

interface Watched extends Running {
  hasBegun: boolean;
  /** The messages that ask for it; null: the vendor began it by itself. */
  readonly ask: (() => readonly string[]) | null;
  cancelWatch: () => void;
}

/** What a vendor owes a call, by name, with limits to its silence. */
export class RunningStreams {
  readonly #running = new Map<string, Watched>();
  readonly #scheduler: Scheduler;
  readonly #onSilent: (what: string) => void;

  constructor(scheduler: Scheduler, onSilent: (what: string) => void) {
    this.#scheduler = scheduler;
    this.#onSilent = onSilent;
  }

  get isEmpty(): boolean {
    return this.#running.size === 0;
  }

  begin(
    name: string,
    stream: S2sStream,
    decoder: SpeechDecoder,
    ask: (() => readonly string[]) | null,
  ): void {
    const running = { stream, decoder, ask, hasBegun: false, cancelWatch: () => undefined };
    this.#running.set(name, running);
    this.#watch(running, FIRST_NEWS_MS, 'no reply');
  }

  /** Something of it has come. */
  goOn(name: string): Running | null {
    const running = this.#running.get(name);
    if (running === undefined) return null;
    running.hasBegun = true;
    this.#watch(running, NEXT_NEWS_MS, 'it fell silent in a reply');
    return running;
  }

  /** It is over; null: it was before. */
  take(name: string): Running | null {
    const running = this.#running.get(name);
    if (running === undefined) return null;
    this.#running.delete(name);
    running.cancelWatch();
    return running;
  }

  /** All of them are over. */
  takeAll(): Running[] {
    return [...this.#running.keys()].flatMap((name) => this.take(name) ?? []);
  }

  /**
   * The connection is another one: what has begun is over, and `ask` has the messages for the rest. What the vendor began by
   * itself and said nothing of is over, too.
   */
  move(): { readonly over: readonly Running[]; readonly ask: () => readonly string[] } {
    const isKept = ({ hasBegun, ask }: Watched): boolean => !hasBegun && ask !== null;
    const names = [...this.#running].flatMap(([name, running]) => (isKept(running) ? [] : [name]));
    const over = names.flatMap((name) => this.take(name) ?? []);
    return { over, ask: () => [...this.#running.values()].flatMap(({ ask }) => ask?.() ?? []) };
  }

  #watch(running: Watched, ms: number, what: string): void {
    running.cancelWatch();
    running.cancelWatch = this.#scheduler.after(ms, () => this.#onSilent(`${what} for ${ms} ms`));
  }
}
