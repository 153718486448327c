import type { Language } from '@callwright/language';
import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { SampleRate } from '@callwright/audio';
import type { AudioUse } from '../../voice/measures.ts';
import type { Ears, Expected } from '@callwright/turns';

/** Voice activity: the probability (0 to 1) that the newest audio is speech. Frames are 20 ms at `sampleRate`. */
export interface Vad {
  process(frame: Int16Array): number;
  reset(): void;
  close(): void;
}

export interface VadProvider {
  readonly name: string;
  open(sampleRate: SampleRate): Vad;
}

/** A recognised word; its times are audio times. */
export interface SttWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Words of the caller. `at` is the arrival of the result; audio times count ms of the audio written to the session, from
 * its first sample.
 */
export interface SttWords {
  text: string;
  at: number;
  /** Audio time up to which the recogniser has listened for this result; null: unknown. */
  audioMs: number | null;
  /** Words with their times, where the recogniser has them. */
  words?: readonly SttWord[];
  /** Language of the words, where the recogniser detects it. */
  language?: string;
  /**
   * The caller's turn, by a recogniser that ends turns itself: one id from its first partial to its certain end, and
   * `text` is cumulative within it. Absent: the recogniser has no turns.
   */
  turn?: string;
}

export type SttEvent =
  | ({ type: 'partial' } & SttWords)
  /**
   * `endpoint`: the recogniser is certain that the caller's turn is over. `isRead`: a net has read the whole utterance, and
   * a list of phrases knows it no better.
   */
  | ({ type: 'final'; confidence: number | null; endpoint?: 'certain'; isRead?: true } & SttWords)
  /**
   * The recogniser thinks that the turn may be over; its certain end or a resumption follows. Without words: a vendor that
   * replies to the sound itself has heard the turn, and its words follow.
   */
  | ({ type: 'eager' } & SttWords)
  /** The caller goes on after an eager end. */
  | { type: 'resumed'; turn?: string; at: number }
  /** The recogniser ended an utterance without words (cough, noise). */
  | { type: 'nothing'; at: number }
  /** Another recogniser has taken over; `message` says why, without keys. `ears`: those of the new one. */
  | { type: 'switched'; message: string; at: number; fault?: VendorFault; ears?: Ears }
  /** `retryable`: only this utterance is lost, or a new session may work at once. */
  | { type: 'failed'; message: string; retryable: boolean; at: number; fault?: VendorFault };

export interface SttSession {
  /** Every 20 ms of the call while the session is open, silence in gaps and on hold included (copy to keep). */
  write(frame: Int16Array, at: number): void;
  /** Boundaries found by our VAD: utterance recognisers decode from start to end, streaming ones may flush. */
  speechStarted(at: number): void;
  speechEnded(at: number): void;
  expect(expected: Expected | null): void;
  /** The models that have heard the call so far, the one that hears it now last. Absent: the provider by its name. */
  usage?(): readonly AudioUse[];
  close(): void;
}

export interface SttOptions {
  readonly language: Language;
  readonly secondaryLanguage: Language | null;
  readonly sampleRate: SampleRate;
  readonly vocab: readonly string[];
  onEvent: (event: SttEvent) => void;
}

export interface SttProvider {
  readonly name: string;
  /** Languages it understands; an agent in another one falls back to keypad answers. */
  understands(language: Language): boolean;
  /** Of a language that it understands it recognises only the expected phrases. Absent: free speech. */
  onlyPhrases?(language: Language): boolean;
  /** Why it recognises nothing now. Absent or null: it works, or was not used yet. */
  fault?(): RecogniserFault | null;
  open(options: SttOptions): SttSession;
  close(): Promise<void>;
}

export interface RecogniserFault {
  readonly message: string;
  /** False: its programs or models are missing; true: they are there and fail. */
  readonly isInstalled: boolean;
}

/** The caller's turn so far: at most its last 8 s, and its words where they are known. */
export interface TurnSound {
  readonly pcm: Int16Array;
  readonly sampleRate: SampleRate;
  readonly text: string;
}

/**
 * Judges whether the caller's turn is over, where neither the recogniser's own endpoint nor the words say so. Without it, and
 * where it says nothing, silence alone decides.
 */
export interface TurnModel {
  readonly name: string;
  judges(language: Language): boolean;
  /** The probability that the turn is over; null: unknown, or too late. Takes the samples over. */
  finished(turn: TurnSound): Promise<number | null>;
  close(): Promise<void>;
}
