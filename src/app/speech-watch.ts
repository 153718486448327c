import type { ReadyCheck } from '../http/server/server-deps.ts';
import { createOfflineTts } from '../offline/speech/tts.ts';
import type { ConnectSpeech } from '../offline/speech/speech-api.ts';
import { tryVoices } from '../offline/speech/try-voices.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import { settlesWithin } from '../shared/settles-within.ts';
import type { RecogniserFault } from '../providers/ports/recogniser.ts';

/** How often the voices are tried while they work, and while they do not. */
const TRY_MS = { working: 60_000, broken: 5_000 } as const;
/** How long a start waits for the first try. */
const FIRST_MS = 15_000;

export interface SpeechWatchOptions {
  readonly log: Log;
  readonly connectSpeech: ConnectSpeech;
  /** Whether calls use the voices and the recogniser of this machine: first, behind those of vendors, or not at all. */
  readonly voices: OfflineUse;
  readonly recogniser: OfflineUse;
  readonly recogniserFault: () => RecogniserFault | null;
  /** Tries the voices; resolves with their faults. Absent: each engine speaks a word. */
  readonly tryVoices?: (count: number) => Promise<string[]>;
  readonly tryMs?: { readonly working: number; readonly broken: number };
}
export type OfflineUse = 'first' | 'behind vendors' | 'unused';

/** Whether this process can speak and hear: no call is placed or answered while it cannot. */
export class SpeechWatch {
  readonly #options: SpeechWatchOptions;
  readonly #tts: ReturnType<typeof createOfflineTts> | null;
  readonly #poller: Poller;
  readonly #tried = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  #count = 0;
  #faults: readonly string[] = [];

  constructor(options: SpeechWatchOptions) {
    this.#options = options;
    const isUsed = options.voices !== 'unused' && options.tryVoices === undefined;
    this.#tts = isUsed ? createOfflineTts({ connect: options.connectSpeech }) : null;
    this.#poller = new Poller({
      poll: () => this.#try(),
      pollMs: (options.tryMs ?? TRY_MS).working,
      onError: (error) => options.log.warn({ err: error }, 'the voices could not be tried'),
    });
  }

  /** Resolves after the first try, or `FIRST_MS`. */
  async start(): Promise<void> {
    if (this.#options.voices === 'unused') return;
    this.#poller.start();
    await settlesWithin(FIRST_MS, this.#tried.promise);
  }

  /** Tries the voices now: a call could not speak, or the speech thread ended. */
  kick(): void {
    this.#poller.kick();
  }

  /** False: a call would be answered and fail. */
  get isAble(): boolean {
    return this.checks().every(({ ok }) => ok);
  }

  checks(): ReadyCheck[] {
    return [this.#voiceCheck(), this.#recogniserCheck()];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#poller.stop();
    await this.#tts?.close();
  }

  #voiceCheck(): ReadyCheck {
    if (this.#faults.length === 0) return { name: 'voices', ok: true };
    const detail = `the voices of this machine do not work: ${this.#faults.join('; ')}`;
    return { name: 'voices', ok: this.#options.voices !== 'first', detail };
  }

  #recogniserCheck(): ReadyCheck {
    const fault = this.#options.recogniserFault();
    if (fault === null) return { name: 'recogniser', ok: true };
    // Without a recogniser, callers answer by keypad: an operator may have chosen that. A broken one is never chosen.
    if (!fault.isInstalled) {
      const detail = `${fault.message}: without a vendor's recogniser, callers can only answer by keypad`;
      return { name: 'recogniser', ok: true, detail };
    }
    const detail = `the recogniser of this machine does not work: ${fault.message}`;
    return { name: 'recogniser', ok: this.#options.recogniser !== 'first', detail };
  }

  /** Tries twice before it calls the voices broken: a busy machine may be late once. */
  async #try(): Promise<number> {
    let faults = await this.#tryOnce();
    if (faults.length > 0 && this.#faults.length === 0) faults = await this.#tryOnce();
    this.#note(faults);
    this.#tried.resolve();
    const { working, broken } = this.#options.tryMs ?? TRY_MS;
    return faults.length === 0 ? working : broken;
  }

  #tryOnce(): Promise<string[]> {
    this.#count += 1;
    if (this.#options.tryVoices !== undefined) return this.#options.tryVoices(this.#count);
    return this.#tts === null
      ? Promise.resolve([])
      : tryVoices(this.#tts, this.#count, this.#stopping.signal);
  }

  #note(faults: readonly string[]): void {
    if (this.#stopping.signal.aborted) return;
    const { log, voices } = this.#options;
    const wasBroken = this.#faults.length > 0;
    this.#faults = faults;
    if (faults.length > 0 === wasBroken) return;
    if (!wasBroken && voices === 'first') {
      log.error({ faults }, 'the voices do not work: no call is placed or answered until they do');
    } else if (!wasBroken) log.warn({ faults }, 'the voices behind those of vendors do not work');
    else log.info({}, 'the voices work again');
  }
}
