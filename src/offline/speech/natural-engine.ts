import { Worker } from 'node:worker_threads';
import { silentLog } from '../../shared/log.ts';
import { isHostEnding, stopFlag } from '../../shared/native-threads.ts';
import { Thread } from '../../shared/threads/thread.ts';
import { ENGINE_TIMEOUT_MS, type EngineEvent, type EngineRun } from './engines.ts';
import type { NaturalApi, NaturalEvents, NaturalFiles, NaturalThreadData } from './natural-api.ts';

type NaturalThread = Thread<NaturalApi, never, NaturalEvents>;

/** How long the answer to "is it installed" holds, and how long a voice that failed is not tried again. */
const KNOWN_MS = 10_000;
const RETRY_MS = 60_000;
/** The load of the voice on a busy machine. */
const LOAD_MS = 20_000;

export interface InstalledVoices {
  /** What every voice needs; null: it is not there. */
  readonly files: NaturalFiles | null;
  /** The file of each installed voice. */
  readonly nets: ReadonlyMap<string, string>;
}

/** Voices that one thread speaks. */
export interface NaturalKind {
  /** Runs `serveVoices`. */
  readonly thread: URL;
  /** What is installed now. */
  look(): InstalledVoices;
}

export interface NaturalOptions {
  readonly kind: NaturalKind;
  /** Why the voices cannot be used. */
  readonly onFault: (message: string) => void;
  readonly now?: () => number;
}

/** The natural voices of one kind, in a thread that starts at its first sentence, and again after a fault. */
export class NaturalEngine {
  readonly #options: NaturalOptions;
  readonly #now: () => number;
  readonly #runs = new Map<number, (event: EngineEvent) => void>();
  #installed: (InstalledVoices & { readonly at: number }) | null = null;
  #thread: NaturalThread | null = null;
  #isLoaded = false;
  #retryAt = -Infinity;
  #reportedAt = -Infinity;
  #nextId = 1;
  #closed = false;

  constructor(options: NaturalOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether a voice may be given sentences: it is installed, and the voices did not fail just now. */
  isUsable(voice: string): boolean {
    if (this.#closed || this.#now() < this.#retryAt) return false;
    const { files, nets } = this.#look();
    return files !== null && nets.has(voice);
  }

  /** Loads a voice, if it is installed, before its first sentence. */
  warm(voice: string): void {
    if (this.isUsable(voice)) this.#running(this.#look().nets.get(voice));
  }

  /** Speaks a sentence. A voice that fails is `missing`: another engine speaks. */
  run(
    { voice, text, speed }: { readonly voice: string; readonly text: string; readonly speed: number },
    onEvent: (event: EngineEvent) => void,
  ): EngineRun {
    const id = this.#nextId++;
    const net = this.#look().nets.get(voice);
    const thread = this.#running(net);
    let sounds = false;
    const end = (event: EngineEvent): void => {
      clearTimeout(timer);
      if (!this.#runs.delete(id)) return;
      const isLost = event.type === 'missing' && sounds;
      onEvent(isLost ? { type: 'failed', message: 'the natural voice stopped in a sentence' } : event);
    };
    const limitMs = ENGINE_TIMEOUT_MS + (this.#isLoaded ? 0 : LOAD_MS);
    const timer = setTimeout(() => {
      thread?.remote.send.cancel(id);
      end({ type: 'missing' });
    }, limitMs);
    this.#runs.set(id, (event) => {
      if (event.type !== 'samples') return end(event);
      sounds = true;
      return onEvent(event);
    });
    if (thread === null || net === undefined) queueMicrotask(() => end({ type: 'missing' }));
    else thread.remote.send.speak(id, { text, net, speed });
    return {
      stop: () => {
        clearTimeout(timer);
        if (this.#runs.delete(id)) thread?.remote.send.cancel(id);
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }

  #look(): InstalledVoices {
    const now = this.#now();
    if (this.#installed !== null && now - this.#installed.at < KNOWN_MS) return this.#installed;
    this.#installed = { ...this.#options.kind.look(), at: now };
    return this.#installed;
  }

  /** `net`: the voice that is loaded first. */
  #running(net: string | undefined): NaturalThread | null {
    const { files } = this.#look();
    if (this.#thread !== null || this.#closed || files === null || net === undefined) return this.#thread;
    const flag = stopFlag();
    const workerData: NaturalThreadData = { stop: flag };
    const worker = new Worker(this.#options.kind.thread, { workerData });
    worker.unref();
    const thread: NaturalThread = new Thread<NaturalApi, never, NaturalEvents>(worker, {
      name: 'natural voice',
      ending: { by: 'flag', flag, log: silentLog },
      served: {
        api: {
          samples: (id, pcm, sampleRate) => this.#runs.get(id)?.({ type: 'samples', pcm, sampleRate }),
          ended: (id, fault) => {
            if (fault !== null) this.#report(fault);
            this.#runs.get(id)?.(fault === null ? { type: 'done' } : { type: 'missing' });
          },
        },
      },
    });
    this.#thread = thread;
    thread.onEnd(({ message }) => {
      if (!isHostEnding()) this.#lose(thread, message);
    });
    this.#isLoaded = false;
    thread.remote.call.load(files, net).then(
      () => {
        this.#isLoaded = true;
      },
      (error: unknown) => {
        this.#lose(thread, error instanceof Error ? error.message : String(error));
        thread.discard();
      },
    );
    return thread;
  }

  /** At most one fault a minute. */
  #report(message: string): void {
    const now = this.#now();
    if (now - this.#reportedAt < RETRY_MS) return;
    this.#reportedAt = now;
    this.#options.onFault(message);
  }

  #lose(thread: NaturalThread, message: string): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#retryAt = this.#now() + RETRY_MS;
    this.#report(message);
    for (const ended of this.#runs.values()) ended({ type: 'missing' });
  }
}
