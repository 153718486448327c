import type { DtmfDigit, Expected, HistoryItem } from '../ports.ts';

/**
 * The conversation's vocabulary. `step(state, event)` is the whole behaviour of a call once media is up:
 * pure, with the time in the event. The session (src/session) turns the world into events and effects into
 * deeds, on the worker's thread and synchronously, so effects of one event run in order before the next event.
 */
export interface TurnSettings {
  introMessage: string;
  /** interface: mute_during_intro. */
  muteDuringIntro: boolean;
  /** edit_noise_settings: the caller can never interrupt. */
  muteWhileAgentSpeaks: boolean;
  /** interface: idle_timeout_warning (0 = off) and idle_timeout_end, in ms. */
  idleWarningMs: number;
  idleEndMs: number;
  /** interface: max_call_length in ms, already shortened to what the balance covers. */
  maxCallMs: number;
  /** Silence after speech before a reply is prepared, and before the turn is committed. */
  endpointing: { prepareMs: number; completeMs: number; defaultMs: number; patientMs: number };
  interruption: { minSpeechMs: number; minWords: number };
  /** Spoken by the machine itself, in the call's language. */
  phrases: {
    idleCheckIn: string;
    idleGoodbye: string;
    maxLengthGoodbye: string;
    apology: string;
    technicalGoodbye: string;
    didNotCatch: string;
    oneMoment: string;
  };
  /** What is known of tools beyond their names. Absent: nothing. */
  tools?: Readonly<Record<string, ToolRule>>;
  /** Said at once while a tool works, with this probability. Absent: nothing. */
  fillers?: { phrases: readonly string[]; probability: number };
  /** Lower-case words and short phrases that never interrupt ("hmm", "okay", "haan"). */
  backchannels: readonly string[];
  /** Words that do not interrupt a goodbye ("bye", "thank you"). Absent: none. */
  farewells?: readonly string[];
  /** Words of picking up the phone ("hello"): alone, they neither interrupt the first message nor answer it. */
  greetings?: readonly string[];
  /** Whole answers ("yes", "no"): committed after `completeMs`. Absent: none. */
  shortAnswers?: readonly string[];
  /** What the first message asks for, where that is known. */
  introExpected?: Expected;
  /** The agent goes on by itself after the first message: where speech is not understood, keys must be offered. */
  goesOnAfterIntro?: boolean;
  /** How keys become an answer where the agent has rules of its own. */
  keys?: KeyRules;
  /** With an empty first message: the agent starts by a generated reply (default), or waits for the caller. */
  speaksFirst?: boolean;
  /** Word patterns that leave a phrase open (trailing conjunction, digits run): wait `patientMs`. */
  language: string;
  /** No reply text this long after a turn was committed: say the apology / fall back (watchdog). */
  replyTimeoutMs: number;
}

export interface ToolRule {
  /** The longest it may take; for keys, the longest wait for the first one. */
  timeoutMs?: number;
  /** It waits for keys of the caller: so many, or up to this one. */
  keys?: { digits: number | null; end: string | null };
}

/** edit_dtmf_settings; null: as the conversation's own rules have it. */
export interface KeyRules {
  enabled: boolean;
  /** The most keys of one answer, and the pause after the last that ends it. */
  digits: number | null;
  pauseMs: number | null;
  /** Keys that are not part of the answer: one ends it, one starts it anew. */
  end: string | null;
  reset: string | null;
}

export type EndReason =
  | 'USER_LEFT'
  | 'AGENT_ENDED'
  | 'USER_BECAME_IDLE'
  | 'MAX_CALL_DURATION'
  | 'MEDIA_TIMEOUT'
  | 'USER_TERMINATED'
  | 'OPTED_OUT'
  | 'VOICEMAIL_DETECTED'
  | 'CALL_TRANSFERRED'
  | 'CALL_SCREENED'
  | 'FAILED';

/** How much of an utterance was put on the wire before it stopped. */
export interface Heard {
  utteranceId: number;
  playedMs: number;
  /** Length of the utterance's audio known so far; `complete` when synthesis had finished. */
  totalMs: number;
  complete: boolean;
}

export type TurnEvent =
  /** Media is up on an answered call: time zero of the conversation. */
  | { type: 'answered'; at: number }
  /** `state.wakeAt` has passed. */
  | { type: 'wake'; at: number }
  /** VAD edges, already gated. `at` is when it was known; `since` when the sound began or ended. */
  | { type: 'speech_started'; at: number; since: number }
  | { type: 'speech_stopped'; at: number; since: number }
  | { type: 'partial'; text: string; at: number }
  | { type: 'final'; text: string; at: number }
  | { type: 'stt_nothing'; at: number }
  | { type: 'stt_failed'; retryable: boolean; at: number }
  | { type: 'dtmf'; digit: DtmfDigit; at: number }
  | { type: 'reply_text'; replyId: number; text: string; at: number }
  | {
      type: 'reply_tool';
      replyId: number;
      id: string;
      name: string;
      args: Record<string, unknown>;
      at: number;
    }
  /** Whole. One with `expected` has handed over to the caller: its tools' results wait for the next turn. */
  | { type: 'reply_done'; replyId: number; memory: unknown; expected: Expected | null; at: number }
  | { type: 'reply_failed'; replyId: number; retryable: boolean; at: number }
  /** The answer to a `tool` effect: anything structured-cloneable; an error is a result like any other. */
  | {
      type: 'tool_result';
      replyId: number;
      id: string;
      name: string;
      result: unknown;
      variables?: Readonly<Record<string, string>>;
      at: number;
    }
  /** First packet of an utterance went out; last packet of it went out; its synthesis failed. */
  | { type: 'utterance_started'; utteranceId: number; at: number }
  | { type: 'utterance_ended'; utteranceId: number; at: number }
  | { type: 'utterance_failed'; utteranceId: number; at: number }
  /** The session's answer to `stop_speaking`, delivered before any other event. */
  | { type: 'speaking_stopped'; heard: readonly Heard[]; at: number }
  | { type: 'media_timeout'; at: number }
  /** The far side put the call on hold, or took it back: nothing is said, heard or waited for meanwhile. */
  | { type: 'held'; at: number }
  | { type: 'resumed'; at: number }
  /** The far side hung up, or the API or a drain asked for the end. */
  | { type: 'remote_hangup'; at: number }
  | { type: 'end_requested'; reason: EndReason; say: string | null; withinMs?: number; at: number }
  /** A machine has taken the call: a mailbox, or one that asks who is calling before it puts the call through. */
  | { type: 'machine_answered'; before: 'machine' | 'screening'; at: number }
  /** Tells the machine that asks who is calling. */
  | { type: 'introduce'; say: string; at: number }
  /** The person called has taken a screened call. */
  | { type: 'person_answered'; at: number };

export type TurnEffect =
  /** Tell the recogniser what is expected now. */
  | { type: 'expect'; expected: Expected | null }
  /**
   * Start a reply to `history`. A speculative one is prepared before the turn is certain: its audio is made
   * but held until `release`.
   */
  | {
      type: 'generate';
      replyId: number;
      history: readonly HistoryItem[];
      memory: unknown;
      speculative: boolean;
    }
  /** Forget a reply: stop the model, drop its held audio. Later events that carry its id are stale. */
  | { type: 'cancel_reply'; replyId: number }
  /**
   * Make audio for one sentence; utterances of a reply play in id order once the reply is released. After
   * `stop_speaking` a reply that was not cancelled may speak again under its id: that resumes it.
   */
  | { type: 'speak'; replyId: number; utteranceId: number; text: string }
  /** May come before the first `speak` of the reply, and again when a stopped reply resumes. */
  | { type: 'release'; replyId: number }
  /**
   * Drop everything queued for playing at once; the session answers with `speaking_stopped`. The model's stream
   * of the reply goes on, since the stop may prove a false alarm: only `cancel_reply` ends it.
   */
  | { type: 'stop_speaking' }
  /** A line is final: append to the transcript. */
  | { type: 'transcribe'; line: TranscriptLine }
  /** Run a tool and answer with `tool_result`. `opt_out` is emitted too and needs no answer; `end_call` never. */
  | { type: 'tool'; replyId: number; id: string; name: string; args: Record<string, unknown> }
  /** A tool is over without an answer of the session: given up, or answered by the conversation itself. */
  | { type: 'tool_over'; replyId: number; id: string; ok: boolean; result: unknown }
  | { type: 'turn_latency'; latency: TurnLatency }
  | { type: 'interrupted'; at: number; stoppedAt: number }
  /** End the call now; everything that should be heard has been. */
  | { type: 'hangup'; reason: EndReason };

export interface TranscriptLine {
  role: 'agent' | 'caller';
  text: string;
  /** Epoch ms of the first and last sound. */
  startedAt: number;
  endedAt: number;
  interrupted: boolean;
  by: 'speech' | 'keypad' | 'text';
}

/** One turn's waterfall, ms: caller's last sound → first packet of the reply, split into its waits. */
export interface TurnLatency {
  turn: number;
  /** Silence waited before the turn was committed. */
  endpointingMs: number;
  /** Caller's last sound to the final transcript. */
  recognitionMs: number | null;
  /** Request to first text of the model. */
  modelMs: number | null;
  /** First text to first packet. */
  voiceMs: number | null;
  /** Caller's last sound to the first packet of the reply. */
  totalMs: number;
  prepared: boolean;
}
