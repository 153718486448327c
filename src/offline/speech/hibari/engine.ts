import { Worker } from 'node:worker_threads';
import { silentLog } from '../../../shared/log.ts';
import { isHostEnding, stopFlag } from '../../../shared/native-threads.ts';
import { Thread } from '../../../shared/threads/thread.ts';
import { ENGINE_TIMEOUT_MS, type EngineEvent, type EngineRun } from '../engines.ts';
import { HIBARI_VOICES, hibariFiles, netOf, type FindModel, type HibariFiles } from './files.ts';
import type { HibariApi, HibariEvents, HibariThreadData } from './hibari-api.ts';
import { VOICE_RATE } from './waveform.ts';

type HibariThread = Thread<HibariApi, never, HibariEvents>;

/** How long the answer to "is it installed" holds, and how long a voice that failed is not tried again. */
const KNOWN_MS = 10_000;
const RETRY_MS = 60_000;
/** The load of the voice on a busy machine. */
const LOAD_MS = 20_000;

interface Installed {
  readonly files: HibariFiles | null;
  /** The net of each installed voice. */
  readonly nets: ReadonlyMap<string, string>;
  readonly at: number;
}

export interface HibariOptions {
  /** Finds an entry of the catalogue; null: it is not installed. */
  readonly find: FindModel;
  /** Why the voice cannot be used. */
  readonly onFault: (message: string) => void;
  readonly now?: () => number;
}

/** The first voice, which is loaded before its first sentence. */
const FIRST = 'heart';

/** The natural voices of a process, in a thread that starts at its first sentence, and again after a fault. */
export class HibariEngine {
  readonly #options: HibariOptions;
  readonly #now: () => number;
  readonly #runs = new Map<number, (event: EngineEvent) => void>();
  #installed: Installed | null = null;
  #thread: HibariThread | null = null;
  #isLoaded = false;
  #retryAt = -Infinity;
  #reportedAt = -Infinity;
  #nextId = 1;
  #closed = false;

  constructor(options: HibariOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether a voice may be given sentences: it is installed, and the voices did not fail just now. */
  isUsable(voice: string): boolean {
    if (this.#closed || this.#now() < this.#retryAt) return false;
    const { files, nets } = this.#look();
    return files !== null && nets.has(voice);
  }

  /** Loads the voice, if it is installed, before the first sentence. */
  warm(): void {
    if (this.isUsable(FIRST)) this.#running();
  }

  /** Speaks a sentence. A voice that fails is `missing`: another engine speaks. */
  run(
    { voice, text, speed }: { readonly voice: string; readonly text: string; readonly speed: number },
    onEvent: (event: EngineEvent) => void,
  ): EngineRun {
    const id = this.#nextId++;
    const net = this.#look().nets.get(voice);
    const thread = net === undefined ? null : this.#running();
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

  #look(): Installed {
    const now = this.#now();
    if (this.#installed !== null && now - this.#installed.at < KNOWN_MS) return this.#installed;
    const { find } = this.#options;
    const nets = new Map(
      HIBARI_VOICES.flatMap((voice) => {
        const net = netOf(find, voice);
        return net === null ? [] : [[voice, net] as const];
      }),
    );
    this.#installed = { files: hibariFiles(find), nets, at: now };
    return this.#installed;
  }

  #running(): HibariThread | null {
    const { files, nets } = this.#look();
    const [net] = nets.values();
    if (this.#thread !== null || this.#closed || files === null || net === undefined) return this.#thread;
    const flag = stopFlag();
    const worker = new Worker(new URL('./hibari.thread.ts', import.meta.url), {
      workerData: { stop: flag } satisfies HibariThreadData,
    });
    worker.unref();
    const thread: HibariThread = new Thread<HibariApi, never, HibariEvents>(worker, {
      name: 'natural voice',
      ending: { by: 'flag', flag, log: silentLog },
      served: {
        api: {
          samples: (id, pcm) => this.#runs.get(id)?.({ type: 'samples', pcm, sampleRate: VOICE_RATE }),
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

  #lose(thread: HibariThread, message: string): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#retryAt = this.#now() + RETRY_MS;
    this.#report(message);
    for (const ended of this.#runs.values()) ended({ type: 'missing' });
  }
}
