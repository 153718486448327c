import type { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import { endThread, type StopFlag } from '../native-threads.ts';
import { Pulse, type PulseOptions } from '../pulse.ts';
import { link, type Link, type Remote, type Sends, type Served } from './remote.ts';

/** What is used of a worker thread; tests replace it. */
export type WorkerThread = Pick<
  Worker,
  'postMessage' | 'on' | 'once' | 'terminate' | 'threadId' | 'ref' | 'unref'
>;

/** How a thread ends: at once; asked to (`stop` of its interface) and terminated after a time; or between native calls. */
export type Ending =
  | { readonly by: 'terminate' }
  | { readonly by: 'request'; readonly withinMs: number }
  | { readonly by: 'flag'; readonly flag: StopFlag; readonly log: Log };

export interface ThreadOptions<Mine, MyPart> {
  /** Names the thread in errors and in the log, without article. */
  readonly name: string;
  readonly ending: Ending;
  /** What this thread serves to the other one. */
  readonly served: Served<Mine, MyPart>;
  /** From `watch` on, a thread that leaves so many pings in a row unanswered counts as hung. */
  readonly pulse?: Pick<PulseOptions, 'pingMs' | 'idle' | 'limit' | 'late'>;
}

/** Why a thread ended; the reason of every call that it left unanswered. */
export class ThreadEnded extends Error {
  /** `failed`: by an error that nothing in it caught, which is the `cause`. */
  readonly kind: 'exited' | 'failed' | 'hung' | 'discarded';

  constructor(name: string, kind: ThreadEnded['kind'], cause?: unknown) {
    const why = { exited: '', failed: `: ${messageOf(cause)}`, hung: ': it does not respond', discarded: '' };
    super(`the ${name} ended${why[kind]}`, { cause });
    this.kind = kind;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A thread that has not loaded its modules by then is terminated all the same. */
const LOADED_WITHIN_MS = 30_000;

/** A thread that this one started: its interface, its pulse and its end. */
export class Thread<
  Api extends object,
  Part extends object = never,
  Mine extends object = object,
  MyPart extends object = never,
> {
  readonly name: string;
  readonly remote: Remote<Api, Part>;
  readonly #worker: WorkerThread;
  readonly #ending: Ending;
  readonly #link: Link<Api, Part, Mine, MyPart>;
  readonly #pulse: Pulse | null;
  readonly #listeners: ((reason: ThreadEnded) => void)[] = [];
  /** Resolves at its first message, and when it ended before or takes too long. */
  readonly #loaded = Promise.withResolvers<void>();
  #isLoaded = false;
  #ended: ThreadEnded | null = null;

  constructor(worker: WorkerThread, options: ThreadOptions<Mine, MyPart>) {
    const { name, ending, served, pulse } = options;
    this.name = name;
    this.#worker = worker;
    this.#ending = ending;
    this.#link = link<Api, Part, Mine, MyPart>(worker);
    this.#link.serve(served);
    this.remote = this.#link.remote;
    this.#pulse =
      pulse === undefined
        ? null
        : new Pulse({
            ...pulse,
            ping: () => this.#link.ping(() => this.#pulse?.answered()),
            onHung: () => this.#end('hung'),
          });
    for (const event of ['message', 'error', 'exit'] as const) worker.once(event, () => this.#onLoaded());
    worker.on('error', (error: unknown) => this.#lose('failed', error));
    worker.on('exit', () => this.#lose('exited'));
  }

  /** Why it ended for its callers; null: it runs. A thread that hangs may exit later, or never. */
  get ended(): ThreadEnded | null {
    return this.#ended;
  }

  /** Called once, after every open call was rejected. */
  onEnd(listener: (reason: ThreadEnded) => void): void {
    this.#listeners.push(listener);
  }

  /** Begins to count unanswered pings. */
  watch(): void {
    if (this.#ended === null) this.#pulse?.start();
  }

  /** It is not idle any more: pings follow at their usual interval. */
  hasten(): void {
    this.#pulse?.hasten();
  }

  /** The thread sent something by itself. While the thread is idle, that counts as an answer to a ping. */
  heard(): void {
    this.#pulse?.heard();
  }

  /** Ends it for its callers now; the thread itself ends when it can. */
  discard(): void {
    this.#end('discarded');
  }

  /** It does not respond: ends it for its callers now. */
  giveUp(): void {
    this.#end('hung');
  }

  /** Ends the thread and resolves when it has exited, or when a native call in it does not return. */
  async stop(): Promise<void> {
    if (this.#ended !== null) return;
    const ending = this.#ending;
    const ask = (): void => (this.remote.send as unknown as Sends<{ stop(): void }>).stop();
    if (ending.by === 'terminate') await this.#terminate();
    else if (ending.by === 'flag') {
      await endThread(this.#worker, { stop: ending.flag, log: ending.log, name: this.name, ask });
    } else {
      const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
      ask();
      const timer = setTimeout(() => void this.#terminate(), ending.withinMs);
      await exited;
      clearTimeout(timer);
    }
    this.#lose('exited');
  }

  #end(kind: ThreadEnded['kind']): void {
    if (this.#ended !== null) return;
    if (this.#ending.by === 'flag') {
      const stopping = this.stop();
      this.#lose(kind);
      void stopping;
      return;
    }
    const terminated = this.#terminate();
    this.#lose(kind);
    void terminated;
  }

  #onLoaded(): void {
    this.#isLoaded = true;
    this.#loaded.resolve();
  }

  /**
   * Terminates the thread once it has loaded its modules: V8 aborts the process when it terminates a thread at the moment
   * an asynchronous module (one with a top-level await) has run.
   */
  async #terminate(): Promise<void> {
    if (!this.#isLoaded) {
      // A thread that waits for its first order answers a ping.
      this.#link.ping(() => undefined);
      const timer = setTimeout(() => this.#onLoaded(), LOADED_WITHIN_MS);
      await this.#loaded.promise;
      clearTimeout(timer);
    }
    await this.#worker.terminate();
  }

  #lose(kind: ThreadEnded['kind'], cause?: unknown): void {
    if (this.#ended !== null) return;
    const reason = new ThreadEnded(this.name, kind, cause);
    this.#ended = reason;
    this.#pulse?.stop();
    this.#link.close(reason);
    for (const listener of this.#listeners) listener(reason);
  }
}
