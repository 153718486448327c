import type { Scheduler } from '../../shared/clock.ts';
import type { SpeechDecoder } from '../tts/speech-decoder.ts';
import type { S2sStream } from './reply.ts';

/** Longest wait for the first event of a reply, and between two events. */
const FIRST_NEWS_MS = 1_300;
const NEXT_NEWS_MS = 2_000;

/** A reply or a verbatim sentence that the vendor has not finished. */
export interface Running {
  readonly stream: S2sStream;
  readonly decoder: SpeechDecoder;
  /** First event received. */
  readonly hasBegun: boolean;
}

interface Watched extends Running {
  hasBegun: boolean;
  /** The messages that request it again; null: an unsolicited reply. */
  readonly request: (() => readonly string[]) | null;
  cancelWatch: () => void;
}

/** Unfinished streams of a call by name; reports a vendor that exceeds the time limits. */
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
    request: (() => readonly string[]) | null,
  ): void {
    const running = { stream, decoder, request, hasBegun: false, cancelWatch: () => undefined };
    this.#running.set(name, running);
    this.#watch(running, FIRST_NEWS_MS, 'no reply');
  }

  /** Records an event of the stream and restarts its timer; null: the stream is finished. */
  received(name: string): Running | null {
    const running = this.#running.get(name);
    if (running === undefined) return null;
    running.hasBegun = true;
    this.#watch(running, NEXT_NEWS_MS, 'it fell silent in a reply');
    return running;
  }

  /** Removes a finished stream; null if already removed. */
  take(name: string): Running | null {
    const running = this.#running.get(name);
    if (running === undefined) return null;
    this.#running.delete(name);
    running.cancelWatch();
    return running;
  }

  /** Removes every stream (connection lost). */
  takeAll(): Running[] {
    return [...this.#running.keys()].flatMap((name) => this.take(name) ?? []);
  }

  /**
   * Splits the streams for a new connection: `over` are the started and the unsolicited ones, which end; `request` repeats the
   * requests of the others.
   */
  move(): { readonly over: readonly Running[]; readonly request: () => readonly string[] } {
    const isKept = ({ hasBegun, request }: Watched): boolean => !hasBegun && request !== null;
    const names = [...this.#running].flatMap(([name, running]) => (isKept(running) ? [] : [name]));
    const over = names.flatMap((name) => this.take(name) ?? []);
    return { over, request: () => [...this.#running.values()].flatMap(({ request }) => request?.() ?? []) };
  }

  #watch(running: Watched, ms: number, what: string): void {
    running.cancelWatch();
    running.cancelWatch = this.#scheduler.after(ms, () => this.#onSilent(`${what} for ${ms} ms`));
  }
}
