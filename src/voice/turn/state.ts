import type { Expected, HistoryItem } from '../ports.ts';
import { NO_TEXT, type SentenceBuffer } from '../prompt/sentences.ts';
import type { EndReason, TurnEffect, TurnSettings } from './types.ts';

/** One `speak` effect and what became of it. `heard` and `rest` part the text where playing stopped. */
export interface Utterance {
  readonly id: number;
  readonly text: string;
  readonly status: 'queued' | 'playing' | 'played' | 'stopped' | 'failed';
  readonly askedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly heard: string;
  readonly rest: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/**
 * The one reply the agent is making. `prepared`: its turn is not certain yet. `released`: it may sound.
 * `suspended`: a possible interruption stopped it, and it resumes unless the caller turns out to mean it.
 */
export interface Reply {
  readonly id: number;
  readonly kind: 'greeting' | 'brain' | 'check_in' | 'phrase';
  readonly phase: 'prepared' | 'released' | 'suspended';
  readonly utterances: readonly Utterance[];
  readonly pending: SentenceBuffer;
  /** Sentences that came while suspended. */
  readonly heldBack: readonly string[];
  readonly done: boolean;
  /** Part of the call: its memory and expectation are in force. */
  readonly accepted: boolean;
  readonly memory: unknown;
  readonly expected: Expected | null;
  readonly heldTools: readonly ToolCall[];
  readonly calledTools: boolean;
  /** Hang up once it was heard. Without `cancellable`, it cannot be interrupted either. */
  readonly ending: { readonly reason: EndReason; readonly cancellable: boolean } | null;
  /** The call ends here at the latest, heard or not. */
  readonly closeBy: number | null;
  readonly askedAt: number;
  readonly releasedAt: number | null;
  readonly firstTextAt: number | null;
  /** Last sign of life of the brain. */
  readonly activeAt: number;
  /** 2 when a first try of the same reply came to nothing. */
  readonly attempt: 1 | 2;
}

/** What the caller is saying: not yet committed as a turn. */
export interface Caller {
  readonly speaking: boolean;
  /** There was sound since the last turn was taken: words without any are late ones. */
  readonly sounded: boolean;
  /** Counts sound segments, so that a repeated final is told from a repeated word. */
  readonly segment: number;
  readonly segmentSince: number;
  /** First and last sound of the turn. */
  readonly firstSince: number;
  readonly quietSince: number;
  /** Last sound before the current segment: in force again when the segment was noise. */
  readonly quietBefore: number | null;
  readonly text: string;
  readonly partial: string;
  /** Until when a final is awaited for sound that ended. */
  readonly awaitingUntil: number | null;
  /** A final came in this segment and nothing new was said since. */
  readonly segmentFinal: boolean;
  /** A partial or final came in this segment. */
  readonly segmentHeard: boolean;
  /** All that is known of this segment never interrupts. */
  readonly segmentHarmless: boolean;
  /** The final of the segment before this one has not come yet. */
  readonly owedFinal: boolean;
  /** Sound without words for so long that it no longer counts as the caller speaking. */
  readonly ignored: boolean;
  readonly finalAt: number | null;
  readonly lastFinal: { readonly segment: number; readonly text: string } | null;
  readonly changedAt: number;
  /** Backchannel words over the agent's voice: an answer if the agent's question ends right after. */
  readonly early: { readonly text: string; readonly since: number; readonly at: number } | null;
  /** Preparing a reply to these words failed: ask again only when the turn is certain. */
  readonly unprepared: boolean;
  /** The turn was committed and opened again: how often, and whether new words have come since. */
  readonly reopened: number;
  readonly reopenedText: string | null;
}

export interface Keypad {
  readonly digits: string;
  /** Nothing more is waited for. */
  readonly complete: boolean;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The caller's last committed turn. It can be opened again until `sealed`: until the agent was heard. */
export interface CommittedTurn {
  readonly number: number;
  readonly text: string;
  readonly keypad: Keypad | null;
  readonly startedAt: number;
  readonly lastSoundAt: number;
  readonly committedAt: number;
  readonly finalAt: number | null;
  readonly historyBefore: readonly HistoryItem[];
  readonly reopened: number;
  readonly prepared: boolean;
  readonly sealed: boolean;
  readonly reported: boolean;
  /** Long and without a cut-in: the caller speaks fluently enough for shorter waits. */
  readonly fluent: boolean;
}

/** What follows once the session has told how much was heard. */
export type AfterStop =
  | { readonly kind: 'barge_in'; readonly confirmed: boolean; readonly since: number }
  | { readonly kind: 'end'; readonly reason: EndReason; readonly hangup: boolean }
  | { readonly kind: 'say'; readonly text: string; readonly reason: EndReason; readonly closeBy: number }
  | { readonly kind: 'skip' }
  | { readonly kind: 'hush'; readonly say: string | null }
  | { readonly kind: 'hold' };

export interface TurnState {
  readonly settings: TurnSettings;
  /** When the next `wake` event is due; null: only the world can move the call. */
  readonly wakeAt: number | null;
  readonly call:
    | { readonly phase: 'waiting' }
    | {
        readonly phase: 'talking';
        readonly answeredAt: number;
        readonly endsAt: number;
        readonly goodbyeAt: number | null;
      }
    | { readonly phase: 'ended'; readonly reason: EndReason; readonly at: number };
  /** On hold by the far side. */
  readonly held: boolean;
  /** Who listens: a mailbox or a screening machine is talked at, and what it says is not heard. */
  readonly attended: 'person' | 'screening' | 'machine';
  readonly reply: Reply | null;
  readonly stopping: (AfterStop & { readonly at: number }) | null;
  /** The stop that suspended the reply, reported once it proves to be an interruption. */
  readonly stopped: { readonly since: number; readonly at: number } | null;
  readonly caller: Caller;
  readonly keypad: Keypad | null;
  readonly turn: CommittedTurn | null;
  readonly history: readonly HistoryItem[];
  readonly memory: unknown;
  readonly expected: Expected | null;
  /** Start of the silence both keep, and whether the check-in was said in it. */
  readonly idle: { readonly since: number; readonly warned: boolean };
  readonly tools: {
    readonly pending: readonly {
      readonly id: string;
      readonly name: string;
      readonly args: Record<string, unknown>;
      readonly until: number;
      readonly replyId: number;
      /** The result calls for no reply of its own: the caller has the floor, or cut the reply off. */
      readonly quiet: boolean;
      /** Waits for keys of the caller. */
      readonly keys: { readonly digits: number | null; readonly end: string | null } | null;
    }[];
    /** Words that fill the wait, and when. */
    readonly filler: { readonly at: number; readonly text: string } | null;
    readonly results: readonly HistoryItem[];
    /** Results are in the history that no reply has seen. */
    readonly fresh: boolean;
    readonly rounds: number;
  };
  /** Learnt from this caller. */
  readonly adapted: {
    readonly completeMs: number;
    readonly defaultMs: number;
    readonly minSpeechMs: number;
  };
  /** Failures in a row, and sounds in a row that held no words. */
  readonly failures: number;
  readonly missed: number;
  readonly turns: number;
  readonly nextReplyId: number;
  readonly nextUtteranceId: number;
}

/** A state on its way and the effects so far. */
export interface Step {
  readonly state: TurnState;
  readonly effects: readonly TurnEffect[];
}

export const change = (step: Step, patch: Partial<TurnState>, ...effects: TurnEffect[]): Step => ({
  state: { ...step.state, ...patch },
  effects: effects.length === 0 ? step.effects : [...step.effects, ...effects],
});

export const changeCaller = (step: Step, patch: Partial<Caller>): Step =>
  change(step, { caller: { ...step.state.caller, ...patch } });

/** Patches the live reply; a step without one stays as it is. */
export const changeReply = (step: Step, patch: Partial<Reply>, ...effects: TurnEffect[]): Step =>
  step.state.reply === null ? step : change(step, { reply: { ...step.state.reply, ...patch } }, ...effects);

const QUIET: Caller = {
  speaking: false,
  sounded: false,
  segment: 0,
  segmentSince: 0,
  firstSince: 0,
  quietSince: 0,
  quietBefore: null,
  text: '',
  partial: '',
  awaitingUntil: null,
  segmentFinal: false,
  segmentHeard: false,
  segmentHarmless: false,
  owedFinal: false,
  ignored: false,
  finalAt: null,
  lastFinal: null,
  changedAt: 0,
  early: null,
  unprepared: false,
  reopened: 0,
  reopenedText: null,
};

/** The caller after their words were taken: nothing said yet, what the recogniser still owes is kept. */
export const clearedCaller = (caller: Caller): Caller => ({
  ...QUIET,
  speaking: caller.speaking,
  sounded: caller.speaking,
  segment: caller.segment,
  segmentSince: caller.segmentSince,
  firstSince: caller.segmentSince,
  quietSince: caller.quietSince,
  ignored: caller.ignored,
  lastFinal: caller.lastFinal,
});

/** The state of a call that has not been answered yet. */
export function initialState(settings: TurnSettings): TurnState {
  return {
    settings,
    wakeAt: null,
    call: { phase: 'waiting' },
    held: false,
    attended: 'person',
    reply: null,
    stopping: null,
    stopped: null,
    caller: QUIET,
    keypad: null,
    turn: null,
    history: [],
    memory: null,
    expected: null,
    idle: { since: 0, warned: false },
    tools: { pending: [], filler: null, results: [], fresh: false, rounds: 0 },
    adapted: {
      completeMs: settings.endpointing.completeMs,
      defaultMs: settings.endpointing.defaultMs,
      minSpeechMs: settings.interruption.minSpeechMs,
    },
    failures: 0,
    missed: 0,
    turns: 0,
    nextReplyId: 0,
    nextUtteranceId: 0,
  };
}

export const newReply = (id: number, kind: Reply['kind'], phase: Reply['phase'], at: number): Reply => ({
  id,
  kind,
  phase,
  utterances: [],
  pending: NO_TEXT,
  heldBack: [],
  done: kind !== 'brain',
  accepted: false,
  memory: null,
  expected: null,
  heldTools: [],
  calledTools: false,
  ending: null,
  closeBy: null,
  askedAt: at,
  releasedAt: phase === 'released' ? at : null,
  firstTextAt: null,
  activeAt: at,
  attempt: 1,
});

export const isAudible = (reply: Reply | null): boolean =>
  reply !== null && reply.utterances.some((u) => u.startedAt !== null);

/** The caller is making sound that counts. */
export const isTalking = (caller: Caller): boolean => caller.speaking && !caller.ignored;

/** The agent has no reply that sounds or may sound: the caller's words can become a turn. */
export const isFloorFree = (state: TurnState): boolean =>
  state.reply === null || state.reply.phase === 'prepared';

export const isUnfinished = (utterance: Utterance): boolean =>
  utterance.status === 'queued' || utterance.status === 'playing';
