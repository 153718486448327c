import type { Interruption } from '../interruption-rules.ts';
import type { DtmfDigit } from '@callwright/audio';
import type { Expected, HistoryItem, KeyWait, TtsMark } from './ports.ts';
import type { Language } from '@callwright/language';
import type { LineSource } from './line-source.ts';
import type { EndSound } from './policies/end-vote.ts';

/**
 * Events, effects and settings of the turn machine. `step(state, event)` is the whole behaviour of an answered call:
 * pure, with the time in the event. A session feeds it events and carries out its effects, synchronously: all effects
 * of one event before the next event.
 */
export interface TurnSettings {
  introMessage: string;
  /** interface: mute_during_intro. */
  muteDuringIntro: boolean;
  /** interface: edit_noise_settings. The caller can never interrupt. */
  muteWhileAgentSpeaks: boolean;
  /** interface: idle_timeout_warning (0 = off) and idle_timeout_end, in ms. */
  idleWarningMs: number;
  idleEndMs: number;
  /** interface: max_call_length in ms, already shortened to what the balance covers. */
  maxCallMs: number;
  /** Silence after speech before a reply is prepared, and before the turn is committed, by how finished its words look. */
  endpointing: {
    prepareMs: number;
    completeMs: number;
    /** After a whole question, until this caller once continues after whole words; absent: `completeMs`. */
    questionMs?: number;
    defaultMs: number;
    /** After words that may continue. */
    patientMs: number;
    /** In the middle of a sentence or number. */
    pauseMs: number;
    /** After a request to wait. */
    holdMs: number;
  };
  /**
   * Sound over the agent's speech: its voice is lowered after `lowerMs` and stops after `minSpeechMs`, or at `minWords`
   * words that are no backchannel.
   */
  interruption: { lowerMs: number; minSpeechMs: number; minWords: number };
  /** Fixed phrases of the turn machine, in the call's language. */
  phrases: {
    idleCheckIn: string;
    idleGoodbye: string;
    maxLengthGoodbye: string;
    apology: string;
    technicalGoodbye: string;
    didNotCatch: string;
    oneMoment: string;
    /** Said in turn with `oneMoment`; logs of earlier versions have none. */
    otherMoments?: readonly string[];
  };
  /** Rules of tools, by name. */
  tools?: Readonly<Record<string, ToolRule>>;
  /** Phrases for while a tool runs, and the probability of one being spoken. */
  fillers?: { phrases: readonly string[]; probability: number };
  /** The second language of the call, with its phrases. */
  secondary?: { readonly language: Language; readonly phrases: TurnSettings['phrases'] };
  /** Lower-case words and short phrases that never interrupt ("hmm", "okay", "haan"). */
  backchannels: readonly string[];
  /** Words that do not interrupt a goodbye ("bye", "thank you"). Absent: none. */
  farewells?: readonly string[];
  /** Greetings ("hello"): alone, they neither interrupt nor answer the first message. */
  greetings?: readonly string[];
  /** Whole answers ("yes", "no"): committed after `completeMs`. Absent: none. */
  shortAnswers?: readonly string[];
  /** Phrases that ask for time ("one moment", "let me check"): they stop the agent, and the turn waits for what follows. */
  waits?: readonly string[];
  /** Words that stop the agent on their own ("no", "stop"), however many words are needed. */
  refusals?: readonly string[];
  /** The expected answer to the first message, if known. */
  introExpected?: Expected;
  /** What is understood of the caller besides keys: expected phrases, or nothing. Absent: free speech. */
  hears?: 'phrases' | 'keys';
  /** The agent speaks again right after the first message, to offer keys where speech is not recognised. */
  goesOnAfterIntro?: boolean;
  /** The agent's rules for keys; absent: the defaults. */
  keys?: KeyRules;
  /** Without a first message: the agent starts with a generated reply (default), or waits for the caller. */
  speaksFirst?: boolean;
  /** The brain words the check-in on a silent caller; absent: it is a fixed phrase. */
  checksIn?: true;
  /** Who speaks first; absent: the agent, at once. */
  start?: StartRule;
  /** Selects the words that leave a phrase open, after which `patientMs` applies. */
  language: Language;
  /** Watchdog: limit from a commit to the first text of its reply. */
  replyTimeoutMs: number;
}

/**
 * The agent speaks its first message `waitMs` after the answer. `hello`: or as soon as the callee has said hello, if that is
 * sooner. `caller`: it waits for the caller's first words, and at most this long.
 */
export interface StartRule {
  readonly after: 'delay' | 'hello' | 'caller';
  readonly waitMs: number;
}

export interface ToolRule {
  /** Timeout; for keys, the wait for the first one. */
  timeoutMs?: number;
  /** Equal calls in one turn each run: the tool sends keys. */
  repeats?: true;
  /** The tool waits for this many keys, or until the `end` key. */
  keys?: KeyWait;
}

/** interface: edit_dtmf_settings. Null: the default. */
export interface KeyRules {
  enabled: boolean;
  /** Maximum keys of an answer, and the pause after the last key that ends it. */
  digits: number | null;
  pauseMs: number | null;
  /** Control keys: `end` completes the answer, `reset` clears it. */
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
  /** A fax, or the network's tones, answered. */
  | 'NOT_ABLE_TO_CALL'
  | 'FAILED';

/** How much of an utterance was sent before it stopped. */
export interface Heard {
  utteranceId: number;
  playedMs: number;
  /** Length of the audio so far; `complete`: synthesis has finished. */
  totalMs: number;
  complete: boolean;
  /** Absent: the places of the words are unknown. */
  marks?: readonly TtsMark[];
}

/** Words of the caller as the recogniser reports them; audio times are comparable with those of the speech gate. */
export interface Recognised {
  readonly text: string;
  readonly at: number;
  /** Audio time up to which the recogniser has listened; absent: unknown. */
  readonly audioMs?: number;
  /** Audio time of the end of the last word; absent: unknown. */
  readonly wordsEndMs?: number;
  /** The recogniser's turn, within which `text` is cumulative; absent: the recogniser does not report turns. */
  readonly turn?: string;
}

export type TurnEvent =
  /** Media is up on an answered call: time zero of the conversation. */
  | { type: 'answered'; at: number }
  /** `state.wakeAt` has passed. */
  | { type: 'wake'; at: number }
  /** Edges of the speech gate. `at`: when it was detected; `since`: when the sound began or ended; `audioMs`: in audio time. */
  | { type: 'speech_started'; at: number; since: number; audioMs?: number }
  | { type: 'speech_stopped'; at: number; since: number; audioMs?: number }
  /** Speech has become quiet or loud again, before the gate knows whether it has ended. */
  | { type: 'speech_paused'; isPaused: boolean; at: number }
  /** Talk over the agent's speech is much softer than the caller's own, or not any more. */
  | { type: 'talker_far'; isFar: boolean; at: number }
  | ({ type: 'partial' } & Recognised)
  /** `certain`: the recogniser ended the caller's turn. */
  | ({ type: 'final'; certain?: boolean } & Recognised)
  /** The recogniser's own endpoint: the turn may be over (without text: its words follow), or continues after all. */
  | ({ type: 'eager' } & Recognised)
  | { type: 'endpoint_resumed'; turn?: string; at: number }
  /** A model has judged the sound of the turn so far: its probability that the turn is over, and the pitch at the end. */
  | ({ type: 'turn_judged'; at: number } & EndSound)
  | { type: 'stt_nothing'; at: number }
  | { type: 'stt_failed'; retryable: boolean; at: number }
  /** Another recogniser hears the caller; `hears` null: free speech. */
  | { type: 'ears_changed'; hears: 'phrases' | 'keys' | null; at: number }
  /** Another agent has the call: its tools run by these rules. */
  | { type: 'tools_changed'; tools: Readonly<Record<string, ToolRule>>; at: number }
  /** From here on the caller interrupts the agent by this rule. */
  | { type: 'interruption_changed'; rule: Interruption; at: number }
  /** The agent that took the call over speaks these languages. */
  | { type: 'languages_changed'; language: Language; secondary: Language | null; at: number }
  /** `masked`: in an event log, another key than the pressed one. */
  | { type: 'dtmf'; digit: DtmfDigit; masked?: true; at: number }
  /** Words that the caller typed. */
  | { type: 'typed'; text: string; at: number }
  /** `isPiece`: the text is spoken at once and as a whole, because its audio exists. */
  | { type: 'reply_text'; replyId: number; text: string; isPiece?: true; at: number }
  | {
      type: 'reply_tool';
      replyId: number;
      id: string;
      name: string;
      args: Record<string, unknown>;
      at: number;
    }
  /**
   * The reply is complete. With `expected` it gives the caller the floor: tool results wait for the next turn. `steps`: how the
   * brain came to it, for the log. `onSilence`: the brain replies when the caller is silent for the check-in time.
   */
  | {
      type: 'reply_done';
      replyId: number;
      memory: unknown;
      expected: Expected | null;
      onSilence?: true;
      steps?: readonly string[];
      at: number;
    }
  | { type: 'reply_failed'; replyId: number; retryable: boolean; at: number }
  /** The answer to a `tool` effect: any structured-cloneable value; errors are results too. */
  | {
      type: 'tool_result';
      replyId: number;
      id: string;
      name: string;
      result: unknown;
      variables?: Readonly<Record<string, string>>;
      at: number;
    }
  /** First packet sent; last packet sent; synthesis failed. */
  | { type: 'utterance_started'; utteranceId: number; at: number }
  | { type: 'utterance_ended'; utteranceId: number; at: number }
  | { type: 'utterance_failed'; utteranceId: number; at: number }
  /** The session's answer to `stop_speaking`, delivered before any other event. */
  | { type: 'speaking_stopped'; heard: readonly Heard[]; at: number }
  | { type: 'media_timeout'; at: number }
  /** The far side put the call on hold, or resumed it. Meanwhile the agent neither speaks nor listens. */
  | { type: 'held'; at: number }
  | { type: 'resumed'; at: number }
  /** The far side hung up; the API or a drain ends the call. */
  | { type: 'remote_hangup'; at: number }
  | { type: 'end_requested'; reason: EndReason; say: string | null; withinMs?: number; at: number }
  /** A person of the workspace controls the call: a note to the agent, a sentence for it to speak. */
  | { type: 'note'; text: string; at: number }
  | { type: 'say'; text: string; author: string; at: number }
  /** A person talks in the agent's place, what they said, and the end of it. */
  | { type: 'taken_over'; at: number }
  /** `isGuest`: they talk beside the agent, which goes on. */
  | { type: 'person_said'; text: string; author: string; since: number; at: number; isGuest?: true }
  | { type: 'handed_back'; at: number }
  /** A machine answered: a mailbox, or a screening service that asks who is calling. */
  | { type: 'machine_answered'; before: 'machine' | 'screening'; at: number }
  /** Answer the screening service. */
  | { type: 'introduce'; say: string; at: number }
  /** A person took the screened call. */
  | { type: 'person_answered'; at: number };

export type TurnEffect =
  /** Set the recogniser's expected answer. */
  | { type: 'expect'; expected: Expected | null }
  /**
   * Request a reply to `history`. A speculative one is prepared before the turn is committed: its audio is synthesised
   * but held until `release`.
   */
  | {
      type: 'generate';
      replyId: number;
      history: readonly HistoryItem[];
      memory: unknown;
      speculative: boolean;
    }
  /** Abort a reply: stop the model and drop its audio. Later events with its id are stale. */
  | { type: 'cancel_reply'; replyId: number }
  /**
   * Synthesise one sentence; utterances play in id order once their reply is released. After `stop_speaking` a reply
   * that was not cancelled may speak again under its id: that resumes it.
   */
  | { type: 'speak'; replyId: number; utteranceId: number; text: string }
  /** No `speak` of the reply follows, unless it is stopped and resumes. */
  | { type: 'end_speech'; replyId: number }
  /** May come before the first `speak` of the reply, and again when a stopped reply resumes. */
  | { type: 'release'; replyId: number }
  /**
   * Drop all queued audio at once; the session answers with `speaking_stopped`. The model keeps streaming, because the
   * stop may be a false alarm: only `cancel_reply` ends it.
   */
  | { type: 'stop_speaking' }
  /** Lower the agent's voice while the caller's sound may be an interruption, or raise it again; both ramp. */
  | { type: 'lower_voice'; isLow: boolean }
  /** A line is final: append to the transcript. */
  | { type: 'transcribe'; line: TranscriptLine }
  /** Run a tool and answer with `tool_result`. `opt_out` is emitted too and needs no answer; `end_call` never. */
  | {
      type: 'tool';
      replyId: number;
      id: string;
      name: string;
      args: Record<string, unknown>;
      /** The idempotency key: unique within the turn. */
      key: string;
    }
  /** A tool ended without an answer of the session: timed out, or answered by the conversation itself. */
  | { type: 'tool_over'; replyId: number; id: string; ok: boolean; result: unknown }
  /** Sensitive keys so far of the call's nth entry; every other effect has a marker instead. */
  | { type: 'hidden_keys'; entry: number; digits: string }
  | { type: 'turn_latency'; latency: TurnLatency }
  | { type: 'interrupted'; at: number; stoppedAt: number }
  /** End the call now. */
  | { type: 'hangup'; reason: EndReason };

export interface TranscriptLine {
  role: 'agent' | 'caller';
  text: string;
  /** Epoch ms of the first and last sound. */
  startedAt: number;
  endedAt: number;
  interrupted: boolean;
  by: 'speech' | 'keypad' | 'text';
  /** The engine of a reply; absent: a fixed sentence, the caller, or a record of an earlier version. */
  spokenBy?: LineSource;
  /** The person of the workspace who said the line, or wrote it for the agent to speak. */
  author?: string;
}

/** Latency of one turn in ms, from the caller's last sound to the first packet of the reply, by its parts. */
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
