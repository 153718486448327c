import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { Language } from '../shared/languages.ts';

/**
 * The ports of a call: what a conversation needs from the outside. Audio is mono signed 16-bit PCM at the
 * leg's own rate, in 20 ms frames. All callbacks run on the call worker's thread; times are epoch milliseconds.
 */
export type SampleRate = 8000 | 16000;
export const FRAME_MS = 20;

export type DtmfDigit =
  | '0'
  | '1'
  | '2'
  | '3'
  | '4'
  | '5'
  | '6'
  | '7'
  | '8'
  | '9'
  | '*'
  | '#'
  | 'A'
  | 'B'
  | 'C'
  | 'D';

/** What a media leg delivers to and pulls from the conversation. Called on the audio path: no throw, no allocation. */
export interface MediaSink {
  /**
   * One decoded 20 ms frame from the far side, in order. `pcm` is reused after the call returns: copy to keep.
   * `timestamp` counts samples since the leg's first packet (unwrapped RTP time at the leg's rate).
   */
  onAudio(pcm: Int16Array, timestamp: number, concealed: boolean, at: number): void;
  /** Fill the next 20 ms to send. False: nothing to say, the leg sends silence. Called once every 20 ms. */
  fill(out: Int16Array, at: number): boolean;
  onDtmf(digit: DtmfDigit, at: number): void;
  /** No valid packet for the leg's media timeout while the far side should send. */
  onMediaTimeout(at: number): void;
}

export interface MediaStats {
  codec: string;
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  packetsLate: number;
  duplicates: number;
  concealedMs: number;
  jitterMs: number;
  roundTripMs: number | null;
  /** What the far side reports of our stream by RTCP. */
  remoteLossFraction: number | null;
  remoteJitterMs: number | null;
  strayPackets: number;
}

/** One side's media, whatever carries it: RTP here, carrier or browser WebSocket later. */
export interface MediaLeg {
  readonly sampleRate: SampleRate;
  start(sink: MediaSink): void;
  sendDtmf(digits: readonly DtmfDigit[]): void;
  stats(): MediaStats;
  close(): Promise<void>;
}

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

/** What the caller is expected to say next: the closed grammar of a phrase recogniser, a hint for the others. */
export interface Expected {
  /** Answer kinds in play; a phrase recogniser expands each into its phrases for the language. */
  kinds: readonly ('yes_no' | 'number' | 'digits' | 'date' | 'time' | 'choice' | 'name' | 'free')[];
  /** Extra phrases (choices of this step, vocab, FAQ key words). */
  phrases: readonly string[];
}

export type SttEvent =
  | { type: 'partial'; text: string; at: number }
  | { type: 'final'; text: string; confidence: number | null; at: number }
  /** The recogniser ended an utterance without words (cough, noise). */
  | { type: 'nothing'; at: number }
  | { type: 'failed'; message: string; retryable: boolean; at: number };

export interface SttSession {
  /** Every caller frame while the session is open (20 ms; copy to keep). */
  write(frame: Int16Array, at: number): void;
  /** Boundaries found by our VAD: utterance recognisers decode from start to end, streaming ones may flush. */
  speechStarted(at: number): void;
  speechEnded(at: number): void;
  expect(expected: Expected | null): void;
  close(): void;
}
export interface SttProvider {
  readonly name: string;
  /** Languages it understands; an agent in another one falls back to keypad answers. */
  understands(language: Language): boolean;
  open(options: {
    language: Language;
    secondaryLanguage: Language | null;
    sampleRate: SampleRate;
    vocab: readonly string[];
    onEvent: (event: SttEvent) => void;
  }): SttSession;
  close(): Promise<void>;
}

export type TtsEvent =
  /** Next PCM at the session's rate; the receiver owns the array. */
  | { type: 'audio'; pcm: Int16Array }
  | { type: 'done' }
  | { type: 'failed'; message: string; retryable: boolean };

export interface TtsSession {
  /** Speaks one sentence or clause. Aborting `signal` stops work; no event follows an abort. */
  speak(text: string, signal: AbortSignal, onEvent: (event: TtsEvent) => void): void;
  close(): void;
}
export interface TtsVoice {
  voiceKey: string;
  language: Language;
  speed: number;
  sampleRate: SampleRate;
}
export interface TtsProvider {
  readonly name: string;
  open(options: TtsVoice): TtsSession;
  /** Makes words ready that will be spoken soon, where that costs nothing twice: engines with a cache of their own. */
  warm?(options: TtsVoice, text: string): void;
  close(): Promise<void>;
}

/** One line of the conversation as both sides heard it. */
export type HistoryItem =
  | { role: 'agent'; text: string; interrupted: boolean }
  | { role: 'caller'; text: string; by: 'speech' | 'keypad' | 'text' }
  /** The caller said nothing for the check-in time. */
  | { role: 'silence' }
  /** What a tool answered; it follows the agent line of the reply that called it. */
  | {
      role: 'tool';
      name: string;
      args?: Record<string, unknown>;
      result: unknown;
      /** Variables it set. */
      variables?: Readonly<Record<string, string>>;
    };

export type LlmEvent =
  | { type: 'delta'; text: string }
  | { type: 'tool'; id: string; name: string; args: Record<string, unknown> }
  /**
   * The reply is whole. `memory` is opaque to the conversation and comes back with the next request once this
   * reply has become part of the call; `expected` describes the caller's likely next answer.
   */
  | { type: 'done'; memory: unknown; expected: Expected | null }
  | { type: 'failed'; message: string; retryable: boolean };

/** Everything about the agent a brain may need, with variables already rendered. */
export interface BrainContext {
  language: Language;
  secondaryLanguage: Language | null;
  /** The whole prompt, sections joined, for a language model. */
  prompt: string;
  sections: readonly { title: string; content: string }[];
  introMessage: string;
  agentName: string;
  variables: Readonly<Record<string, string>>;
  /** False where speech in this language cannot be recognised: answers come by keypad. */
  understandsSpeech: boolean;
  tools: readonly ToolSpec[];
  /** What the agent may look up, most telling first; absent: nothing. */
  knowledge?: readonly KnowledgeItem[];
  callDirection: 'outbound' | 'inbound' | 'webcall';
  /** How a language model is to answer; null: as the provider has it. */
  sampling?: { temperature: number | null; maxTokens: number | null };
}
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Who carries it out; absent: the conversation itself knows it by its name. */
  kind?: 'remote' | 'send_keys' | 'wait_for_keys' | 'transfer';
  /** The longest it may take. */
  timeoutMs?: number;
  /** Keys that are always the same ones. */
  digits?: string;
  /** What ends the wait for keys: so many of them, or this one. */
  keys?: { digits: number | null; end: string | null };
  /** Variables its result may set. */
  sets?: readonly string[];
}

export interface LlmSession {
  /** What the caller may answer to the first message, where the brain can tell. */
  readonly expectsFirst?: Expected;
  /** Who calls and why, in one or two sentences, for a machine that asks or a mailbox; where the brain can tell. */
  readonly introduces?: string;
  /** Starts a reply to `history`. Aborting `signal` stops it; no event follows an abort. */
  reply(
    request: { history: readonly HistoryItem[]; memory: unknown; signal: AbortSignal },
    onEvent: (event: LlmEvent) => void,
  ): void;
  close(): void;
}
export interface LlmProvider {
  readonly name: string;
  open(context: BrainContext): LlmSession;
  close(): Promise<void>;
}

/** Understands what a caller says who wants no more calls, without a model and at once. */
export interface OptOutSense {
  words(text: string): boolean;
  /** `expected` as the brain told it, null where it did not; `question`: the agent's last line. */
  keys(keys: string, asked: { readonly expected: Expected | null; readonly question: string }): boolean;
}
