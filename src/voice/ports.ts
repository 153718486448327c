import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { Language } from '../shared/languages.ts';
import type { VendorFault } from '../shared/vendor-fault.ts';
import type { AudioUse } from './measures.ts';

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
  /** Fills the next 20 ms to send; false: the leg sends silence. Called every 20 ms. */
  fill(out: Int16Array, at: number): boolean;
  onDtmf(digit: DtmfDigit, at: number): void;
  /** Words that the far side typed. Absent: nothing can be typed. */
  onText?(text: string, at: number): void;
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

/** The media of one leg, independent of its transport. */
export interface MediaLeg {
  readonly sampleRate: SampleRate;
  start(sink: MediaSink): void;
  sendDtmf(digits: readonly DtmfDigit[]): void;
  /** Has the far side drop what it has not played yet. Absent: it holds no more than its jitter buffer. */
  flush?(): void;
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

/** The expected answer: the closed grammar of a phrase recogniser, a hint for other recognisers. */
export interface Expected {
  /** Answer kinds in play; a phrase recogniser expands each into its phrases for the language. */
  kinds: readonly ('yes_no' | 'number' | 'digits' | 'date' | 'time' | 'choice' | 'name' | 'free')[];
  /** Extra phrases (choices of this step, vocab, FAQ key words). */
  phrases: readonly string[];
  /** The choices of the question, in the order of their keys. */
  choices?: readonly string[];
  /** Keys of the answer are hidden from transcript, model and watchers. */
  sensitive?: boolean;
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

/** What can be recognised of a caller who speaks a call's first language. */
export interface Ears {
  /** False: no speech, so answers come by keypad. */
  readonly understandsSpeech: boolean;
  /** Only the expected phrases. */
  readonly onlyPhrases: boolean;
}

export type SttEvent =
  | ({ type: 'partial' } & SttWords)
  /** `endpoint`: the recogniser is certain that the caller's turn is over. */
  | ({ type: 'final'; confidence: number | null; endpoint?: 'certain' } & SttWords)
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

/**
 * Where a sentence's words sound: its first `textEnd` characters (UTF-16) are spoken once `audioMs` of its audio have
 * played. One mark a word where the engine has word times; words between two marks are placed by their length.
 */
export interface TtsMark {
  readonly textEnd: number;
  readonly audioMs: number;
}

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

/** One line of the conversation as both sides heard it. */
export type HistoryItem =
  /** `by`: a person of the workspace wrote it in the agent's place. */
  | { role: 'agent'; text: string; interrupted: boolean; by?: 'person' }
  | { role: 'caller'; text: string; by: 'speech' | 'keypad' | 'text' }
  /** The caller spoke, and no word was recognised. */
  | { role: 'unclear' }
  /** The caller said nothing for the check-in time. */
  | { role: 'silence' }
  /** A tool's result; follows the agent line of the reply that called the tool. */
  | {
      role: 'tool';
      name: string;
      args?: Record<string, unknown>;
      /** `PENDING_RESULT` while the tool runs. */
      result: unknown;
      /** The call's idempotency key: the same tool with the same arguments in the same turn. */
      key?: string;
      /** Variables the tool set. */
      variables?: Readonly<Record<string, string>>;
    };

/** The result of a tool that is still running, in the history of a request. */
export const PENDING_RESULT = {
  status: 'running',
  note: 'do not call it again: the result follows',
} as const;

/** Tokens of one reply; null: the model did not report them. */
export interface ModelUsage {
  readonly vendor: string;
  readonly model: string;
  /** All of the prompt, those read from the vendor's cache included. */
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
}

/** Who gave a reply. */
export interface Replier {
  readonly vendor: string;
  readonly model: string | null;
  /** False: another engine than the first of the agent's models, because that one failed. */
  readonly isFirst: boolean;
}

export type LlmEvent =
  /** `isPiece`: the text is spoken at once and as a whole, because its audio exists. */
  | { type: 'delta'; text: string; isPiece?: true; by?: Replier }
  | { type: 'tool'; id: string; name: string; args: Record<string, unknown> }
  /**
   * The reply is whole. `memory` is opaque to the conversation and comes back with the next request once this
   * reply has become part of the call; `expected` describes the caller's likely next answer. `usage`: absent for a brain
   * on this machine. `by`: who replies, of a chain; absent: the provider that was asked.
   */
  | { type: 'done'; memory: unknown; expected: Expected | null; usage?: ModelUsage; by?: Replier }
  /** Another model replies from here on; `message` says why, without keys. */
  | { type: 'switched'; message: string; fault?: VendorFault }
  /** `fault`: what went wrong at the vendor; absent: the brain runs on this machine. */
  | { type: 'failed'; message: string; retryable: boolean; fault?: VendorFault };

/** The agent as the brain sees it, variables rendered. */
export interface BrainContext {
  language: Language;
  secondaryLanguage: Language | null;
  /** The whole prompt, sections joined. */
  prompt: string;
  /** The same for a language model: values of variables are marked as data (`markedValue`). */
  instructions: string;
  sections: readonly { title: string; content: string }[];
  introMessage: string;
  agentName: string;
  variables: Readonly<Record<string, string>>;
  /** Variables of the prompt without a value, which `instructions` name as unknown. */
  unknown?: readonly { readonly name: string; readonly setByTool: boolean }[];
  /** False where speech in this language cannot be recognised: answers come by keypad. */
  understandsSpeech: boolean;
  /** True where only the expected phrases are recognised, not free speech. */
  onlyPhrases?: boolean;
  tools: readonly ToolSpec[];
  /** Passages of the agent's knowledge bases, most relevant first. */
  knowledge?: readonly KnowledgeItem[];
  callDirection: 'outbound' | 'inbound' | 'webcall';
  /** `text`: a chat, whose words are read and typed. Absent: a call. */
  channel?: 'text';
  /** When no model answers: `script`, the brain of this machine replies. Absent: the reply fails, and the agent apologises. */
  onModelFailure?: 'script';
  /** Sampling parameters; null: the provider's default. */
  sampling?: { temperature: number | null; maxTokens: number | null };
}
/** Keys that a tool waits for. */
export interface KeyWait {
  readonly digits: number | null;
  readonly end: string | null;
  /** The keys are hidden from transcript, model and watchers; only parameters marked sensitive get them. */
  readonly sensitive?: boolean;
}
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Where the tool runs; absent: a built-in tool, known by its name. */
  kind?: 'remote' | 'send_keys' | 'wait_for_keys' | 'transfer';
  /** Timeout. */
  timeoutMs?: number;
  /** Fixed digits to send; absent: the model chooses. */
  digits?: string;
  /** Ends the wait for keys: this many digits, or the `end` key. */
  keys?: KeyWait;
  /** Parameters that may get the caller's sensitive keys. */
  sensitive?: readonly string[];
  /** Variables its result may set. */
  sets?: readonly string[];
}

export interface LlmRequest {
  readonly history: readonly HistoryItem[];
  readonly memory: unknown;
  readonly signal: AbortSignal;
  /** Called at the abort of a reply that the vendor charges for, with estimated tokens. */
  readonly onCancelled?: (usage: ModelUsage) => void;
}

export interface LlmSession {
  /** The expected answer to the first message, if the brain knows it. */
  readonly expectsFirst?: Expected;
  /** Who calls and why, in one or two sentences, for a screening service or a mailbox, if the brain knows it. */
  readonly introduces?: string;
  /** It words the check-in on a silent caller: the history of such a request ends with a silence. */
  readonly checksIn?: true;
  /** Starts a reply to `history`. Aborting `signal` stops it; no event follows an abort. */
  reply(request: LlmRequest, onEvent: (event: LlmEvent) => void): void;
  /** Another recogniser hears the call from now on. */
  hears?(ears: Ears): void;
  close(): void;
}
export interface LlmProvider {
  readonly name: string;
  /** Of a vendor. */
  readonly model?: string;
  open(context: BrainContext): LlmSession;
  /** A call rings: connects to the vendor ahead of its first reply. */
  warm?(): void;
  close(): Promise<void>;
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

/** Detects an opt-out in words and keys, synchronously and without a model. */
export interface OptOutSense {
  words(text: string): boolean;
  /** `expected`: the brain's expected answer; `question`: the agent's last line. */
  keys(keys: string, prompt: { readonly expected: Expected | null; readonly question: string }): boolean;
}
