import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type {
  TtsContext,
  TtsEvent,
  TtsOptions,
  TtsProvider,
  TtsSession,
} from '../../providers/ports/voice.ts';
import { wordEnds } from '@callwright/turns';
import { link, type Remote } from '../../shared/threads/remote.ts';
import type { ConnectSpeech, SpeechApi, SpeechEvents } from './speech-api.ts';
import { type SpeechOptions, SpeechThread } from './speech-thread.ts';
import type { SpeechEvent, SpeechRequest } from './synthesiser.ts';
import { planSynthesis } from './synthesis.ts';

export interface OfflineTtsOptions extends SpeechOptions {
  /** Reaches the speech thread of the process; absent: this provider has one of its own. */
  connect?: ConnectSpeech;
}

/** Time limit of a synthesis ahead; later the utterance is synthesised on demand. */
const AHEAD_MS = 20_000;

/** The end of the word that a share of the text reaches. */
function wordEndAt(text: string, share: number): number {
  const reached = share * text.length - 0.5;
  for (const end of wordEnds(text)) if (end >= reached) return end;
  return text.length;
}

/**
 * The voices of hibari, sherpa-onnx, flite and espeak-ng, spoken by a speech thread. Where hibari is not installed flite speaks
 * for it, and where sherpa-onnx or flite are not, espeak-ng voices of the same gender.
 */
export class OfflineTts implements TtsProvider {
  readonly name = 'offline';
  /** Null: the thread is another owner's. */
  readonly #own: SpeechThread | null;
  readonly #connect: ConnectSpeech;
  readonly #listeners = new Map<number, (event: SpeechEvent) => void>();
  #port: MessagePort | null = null;
  #thread: Remote<SpeechApi>['send'] | null = null;
  #closed = false;
  #nextId = 1;

  constructor({ connect, ...options }: OfflineTtsOptions = {}) {
    const own = connect === undefined ? new SpeechThread(options) : null;
    this.#own = own;
    this.#connect = connect ?? ((port) => own?.connect(port));
  }

  open(options: TtsOptions): TtsSession {
    const cancels = new Set<() => void>();
    /** Until when the audio handed over so far plays. */
    let playsUntil = 0;
    const begin = (): TtsContext => {
      const own = new Set<() => void>();
      return {
        say: (text, onEvent, voice) => {
          const inMs = Math.max(0, playsUntil - performance.now());
          const cancel = this.#speak({ ...options, ...voice }, text, { purpose: 'speak', inMs }, (event) => {
            if (event.type === 'audio') {
              const ms = (event.pcm.length / options.sampleRate) * 1000;
              playsUntil = Math.max(playsUntil, performance.now()) + ms;
            }
            if (event.type === 'done' || event.type === 'failed') {
              own.delete(cancel);
              cancels.delete(cancel);
            }
            onEvent(event);
          });
          own.add(cancel);
          cancels.add(cancel);
        },
        end: () => undefined,
        cancel: () => {
          // Audio of a cancelled reply is not played to its end.
          playsUntil = 0;
          for (const cancel of own) {
            cancel();
            cancels.delete(cancel);
          }
          own.clear();
        },
      };
    };
    return {
      begin,
      close: () => {
        for (const cancel of cancels) cancel();
        cancels.clear();
      },
    };
  }

  /** Starts the thread ahead of the first utterance, so that the first caller has no extra latency. */
  start(): this {
    this.#running();
    return this;
  }

  /** Synthesises the beginning of an utterance into the cache, so that it can start at once later. */
  warm(options: TtsOptions, text: string): void {
    const cancel = this.#speak(options, text, { purpose: 'ahead', inMs: 0 }, (event) => {
      if (event.type === 'done' || event.type === 'failed') clearTimeout(timer);
    });
    const timer = setTimeout(cancel, AHEAD_MS);
    timer.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    this.#port?.close();
    this.#port = null;
    this.#thread = null;
    await this.#own?.close();
  }

  /** Returns a function that cancels the synthesis; no event comes before it returns. */
  #speak(
    options: TtsOptions,
    text: string,
    how: Pick<SpeechRequest, 'purpose' | 'inMs'>,
    onEvent: (event: TtsEvent) => void,
  ): () => void {
    const synthesis = planSynthesis({ ...options, text });
    if (synthesis === null) {
      let isCancelled = false;
      queueMicrotask(() => {
        if (!isCancelled) onEvent({ type: 'done' });
      });
      return () => {
        isCancelled = true;
      };
    }
    const id = this.#nextId++;
    this.#listeners.set(id, (event) => {
      if (event.type === 'done' || event.type === 'failed') this.#listeners.delete(id);
      if (event.type === 'reached') {
        const textEnd = wordEndAt(text, event.share);
        return onEvent({ type: 'marks', marks: [{ textEnd, audioMs: event.audioMs }] });
      }
      return onEvent(event);
    });
    this.#running()?.speak(id, { synthesis, sampleRate: options.sampleRate, ...how });
    return () => {
      if (this.#listeners.delete(id)) this.#running()?.cancel(id);
    };
  }

  /** The speech thread; opens a port to it at first use and after the thread ended. */
  #running(): Remote<SpeechApi>['send'] | null {
    if (this.#thread !== null || this.#closed) return this.#thread;
    const { port1: port, port2 } = new MessageChannel();
    this.#port = port;
    const ends = link<SpeechApi, never, SpeechEvents>(port);
    this.#thread = ends.remote.send;
    ends.serve({
      api: {
        audio: (id, pcm) => this.#listeners.get(id)?.({ type: 'audio', pcm }),
        progress: (id, event) => this.#listeners.get(id)?.(event),
      },
    });
    port.on('close', () => {
      if (this.#port !== port) return;
      this.#port = null;
      this.#thread = null;
      const lost = [...this.#listeners.values()];
      this.#listeners.clear();
      for (const listener of lost) {
        listener({ type: 'failed', message: 'speech synthesis stopped', retryable: true });
      }
    });
    port.unref();
    this.#connect(port2);
    return ends.remote.send;
  }
}

export const createOfflineTts = (options: OfflineTtsOptions = {}): OfflineTts => new OfflineTts(options);
