import type { Language } from '@callwright/language';
import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { SampleRate } from '@callwright/audio';
import type { TtsMark } from '@callwright/turns';

/** Events of one sentence. `done` or `failed` is the last one. */
export type TtsEvent =
  /** Next PCM at the session's rate; the receiver owns the array. */
  | { type: 'audio'; pcm: Int16Array }
  /** Further marks, in order; they may come before or after the audio that they describe. */
  | { type: 'marks'; marks: readonly TtsMark[] }
  /** Audio and marks after `audioMs` are void: what follows goes on from there. */
  | { type: 'cut'; audioMs: number }
  /** Characters that a vendor charges for; before the audio that they become. */
  | { type: 'usage'; vendor: string; model: string | null; characters: number }
  /** Another engine speaks from here on; `message` says why, without keys. */
  | { type: 'switched'; message: string; fault?: VendorFault }
  | { type: 'done' }
  /** `fault`: what went wrong at a vendor. */
  | { type: 'failed'; message: string; retryable: boolean; fault?: VendorFault };

/** How a sentence is spoken. `voiceKey`: `<engine>:<voice>`; an engine replaces the voice of another one by its own. */
export interface TtsVoice {
  readonly voiceKey: string;
  readonly language: Language;
  /** 0.5 to 2. */
  readonly speed: number;
}

/** In what a sentence's voice differs from that of the session, and whether other calls say the same sentence. */
export interface SpeechManner extends Partial<TtsVoice> {
  /** Absent: the words are those of this reply alone. */
  readonly isFixed?: boolean;
  /** The sentence before its numbers were worded as people say them; absent: the same. */
  readonly written?: string;
}

/** The speech of one reply: its sentences in order. Events of different sentences may interleave. */
export interface TtsContext {
  /** Speaks one sentence or clause. */
  say(text: string, onEvent: (event: TtsEvent) => void, manner?: SpeechManner): void;
  /** No sentence follows. */
  end(): void;
  /** Drops what is not spoken yet; no event follows. */
  cancel(): void;
}

export interface TtsSession {
  /** Begins a reply. The contexts of a session are independent of each other. */
  begin(): TtsContext;
  /** Cancels every context. */
  close(): void;
}

export interface TtsOptions extends TtsVoice {
  readonly sampleRate: SampleRate;
}

export interface TtsProvider {
  readonly name: string;
  /** Absent: every language. */
  speaks?(language: Language): boolean;
  /** How long a chain waits for the first audio of a reply; absent: as long as for any vendor. */
  readonly firstAudioMs?: number;
  open(options: TtsOptions): TtsSession;
  /** The phone rings: connects, and synthesises the first message for engines with a cache; empty: none. */
  warm?(options: TtsOptions, text: string): void;
  close(): Promise<void>;
}
