import { MessageChannel } from 'node:worker_threads';
import type { Language } from '@callwright/language';
import { FRAME_MS } from '@callwright/audio';
import type {
  RecogniserFault,
  SttOptions,
  SttProvider,
  SttSession,
  SttWords,
} from '../../providers/ports/recogniser.ts';
import { COMMIT_MS } from '../../providers/stt/dialect.ts';
import { FrameRing } from '../../providers/stt/frame-ring.ts';
import { WireAudio } from '../../providers/stt/wire-audio.ts';
import { vendorFault } from '../../providers/wire/fault.ts';
import { moved } from '../../shared/threads/moved.ts';
import { link, type Remote } from '../../shared/threads/remote.ts';
import { EAR_RATE, type ConnectEar, type EarApi, type EarEvents, type EarModel } from './ear-api.ts';
import type { HeardWords } from './heard-words.ts';

/** Its name in the chain of recognisers; prices and records know it as the offline engine. */
export const WORDS = 'offline-words';
const CHUNK_MS = 60;
/** Audio after the end of speech that belongs to the utterance; the first sound of the next one may follow. */
const TAIL_MS = 60;
/** Audio before the start of speech, which may hold the first sound. */
const PREROLL_MS = 300;
/** The start of speech is known this much later at most. */
const RING_MS = 1_000;
/** A thread that answers nothing for this long while audio waits does not keep up. */
const STALL_MS = 3_000;

/** Vosk on this machine: free speech in the languages whose models are installed. `models`: read at each call. */
export function localWords(
  connect: ConnectEar,
  models: (language: Language) => EarModel | null,
): SttProvider {
  return {
    name: WORDS,
    understands: (language) => models(language) !== null,
    fault: (): RecogniserFault | null => null,
    open: (options) => {
      const { language, secondaryLanguage } = options;
      const model = models(language) ?? (secondaryLanguage === null ? null : models(secondaryLanguage));
      if (model === null) throw new Error(`no model is installed for ${language}`);
      return new EarSession(connect, model, options);
    },
    close: () => Promise.resolve(),
  };
}

interface Utterance {
  /** From the time of the audio that was sent to that of the call. */
  readonly shiftMs: number;
  /** Silence until it ends, once the caller is quiet; null: the caller speaks. */
  leftMs: number | null;
  hasWords: boolean;
}

/** One call. Only speech is sent, with a little audio around it: silence costs a quarter of speech. */
class EarSession implements SttSession {
  readonly #model: EarModel;
  readonly #onEvent: SttOptions['onEvent'];
  readonly #send: Remote<EarApi>['send'];
  readonly #close: () => void;
  readonly #audio: WireAudio;
  readonly #ring: FrameRing;
  #utterance: Utterance | null = null;
  /** Utterances whose final words have not come, in order; the last one may still be sent. */
  readonly #open: Utterance[] = [];
  /** Where the last utterance ended, ms of the call: its last word is not heard again. */
  #decodedToMs = 0;
  #sentMs = 0;
  #heardMs = 0;
  /** Pieces sent and not yet decoded. */
  #waiting: number[] = [];
  #frameAt = 0;
  #frameClock = performance.now();
  #answeredAt = performance.now();
  #isOver = false;

  constructor(connect: ConnectEar, model: EarModel, { sampleRate, onEvent }: SttOptions) {
    this.#model = model;
    this.#onEvent = onEvent;
    this.#audio = new WireAudio(sampleRate, { encoding: 'linear16', rate: EAR_RATE, chunkMs: CHUNK_MS });
    this.#ring = new FrameRing(sampleRate, RING_MS);
    const { port1: port, port2 } = new MessageChannel();
    const ends = link<EarApi, never, EarEvents>(port);
    this.#send = ends.remote.send;
    this.#close = () => port.close();
    ends.serve({
      api: {
        heard: (text) => this.#heard(text),
        ended: (words, isAsked) => this.#ended(words, isAsked),
        failed: (message) => this.#fail(message),
      },
    });
    port.on('close', () => this.#fail('its thread ended'));
    port.unref();
    connect(port2, model);
  }

  write(frame: Int16Array, at: number): void {
    if (this.#isOver) return;
    this.#frameAt = at;
    this.#frameClock = performance.now();
    this.#ring.push(frame, at);
    const utterance = this.#utterance;
    if (utterance === null) return;
    this.#push(frame);
    if (utterance.leftMs !== null && (utterance.leftMs -= FRAME_MS) <= 0) this.#commit();
    if (this.#waiting.length > 0 && this.#frameClock - this.#answeredAt > STALL_MS)
      this.#fail('it does not keep up');
  }

  speechStarted(at: number): void {
    if (this.#isOver) return;
    // The pause was too short to end the utterance.
    if (this.#utterance !== null) {
      this.#utterance.leftMs = null;
      return;
    }
    const sinceMs = this.#ring.endMs - Math.max(0, this.#frameAt - at) - PREROLL_MS;
    const frames: Int16Array[] = [];
    const fromMs = this.#ring.replay(Math.max(this.#decodedToMs, sinceMs), (frame) => frames.push(frame));
    this.#utterance = { shiftMs: fromMs - this.#sentMs, leftMs: null, hasWords: false };
    this.#open.push(this.#utterance);
    for (const frame of frames) this.#push(frame);
  }

  speechEnded(): void {
    if (this.#utterance !== null) this.#utterance.leftMs = COMMIT_MS;
  }

  expect(): void {
    // The words are free.
  }

  usage(): ReturnType<NonNullable<SttSession['usage']>> {
    return [{ vendor: 'offline', model: this.#model.id, audioMs: Math.round(this.#sentMs) }];
  }

  close(): void {
    this.#isOver = true;
    this.#close();
  }

  #push(frame: Int16Array): void {
    this.#audio.push(frame, (chunk) => this.#hear(chunk));
  }

  #hear(chunk: Uint8Array<ArrayBuffer>): void {
    const samples = new Int16Array(chunk.buffer, 0, chunk.byteLength / 2);
    const ms = (samples.length * 1000) / EAR_RATE;
    if (this.#waiting.length === 0) this.#answeredAt = performance.now();
    this.#waiting.push(ms);
    this.#sentMs += ms;
    this.#send.hear(moved(samples));
  }

  #commit(): void {
    this.#audio.flush((chunk) => this.#hear(chunk));
    this.#utterance = null;
    const overMs = COMMIT_MS - TAIL_MS;
    this.#decodedToMs = this.#ring.endMs - overMs;
    this.#send.end(overMs);
  }

  #heard(text: string | null): void {
    this.#answeredAt = performance.now();
    this.#heardMs += this.#waiting.shift() ?? 0;
    if (this.#isOver || text === null || text === '') return;
    this.#onEvent({ type: 'partial', ...this.#placed(text) });
  }

  #ended(heard: HeardWords | null, isAsked: boolean): void {
    this.#answeredAt = performance.now();
    if (this.#isOver) return;
    const utterance = this.#open[0];
    if (heard !== null) {
      if (utterance !== undefined) utterance.hasWords = true;
      const shiftMs = utterance?.shiftMs ?? 0;
      const words = heard.words.map(({ text, startMs, endMs }) => ({
        text,
        startMs: startMs + shiftMs,
        endMs: endMs + shiftMs,
      }));
      const read = heard.isRead === true ? { isRead: heard.isRead } : {};
      const placed = this.#placed(heard.text);
      this.#onEvent({ type: 'final', confidence: heard.confidence, ...placed, words, ...read });
    } else if (isAsked && utterance?.hasWords !== true) this.#onEvent({ type: 'nothing', at: this.#now() });
    if (isAsked) this.#open.shift();
  }

  #placed(text: string): SttWords {
    return { text, audioMs: this.#heardMs + (this.#open[0]?.shiftMs ?? 0), at: this.#now() };
  }

  #now(): number {
    return this.#frameAt + Math.round(performance.now() - this.#frameClock);
  }

  #fail(detail: string): void {
    if (this.#isOver) return;
    this.close();
    const fault = vendorFault(WORDS, 'lost', detail);
    this.#onEvent({
      type: 'failed',
      message: fault.message,
      retryable: fault.retryable,
      at: this.#now(),
      fault,
    });
  }
}
