import type { Expected, HistoryItem, KeyWait } from './ports.ts';
import { NO_TEXT, type SentenceBuffer } from '../sentences.ts';
import type { EndReason, TurnEffect, TurnSettings } from './types.ts';

/** One `speak` effect with its progress. `heard` and `rest` split the text where playing stopped. */
export interface Utterance {
  readonly id: number;
  readonly text: string;
  readonly status: 'queued' | 'playing' | 'played' | 'stopped' | 'failed';
  readonly requestedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly heard: string;
  readonly rest: string;
  /** A phrase of our own that fills the wait for the model. */
  readonly isFiller?: true;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/**
 * The agent's current reply. `prepared`: its turn is not committed. `released`: it may play. `suspended`: stopped by a
 * possible interruption; it resumes if that is a false alarm.
 */
export interface Reply {
  readonly id: number;
  readonly kind: 'greeting' | 'brain' | 'check_in' | 'phrase';
  readonly phase: 'prepared' | 'released' | 'suspended';
  readonly utterances: readonly Utterance[];
  readonly pending: SentenceBuffer;
  /** Sentences received while suspended. */
  readonly heldBack: readonly string[];
  readonly done: boolean;
  /** Its memory and expected answer are applied. */
  readonly accepted: boolean;
  readonly memory: unknown;
  readonly expected: Expected | null;
  readonly heldTools: readonly ToolCall[];
  readonly calledTools: boolean;
  /** Hang up after this reply. Not `cancellable`: it cannot be interrupted either. */
  readonly ending: { readonly reason: EndReason; readonly cancellable: boolean } | null;
  /** The call ends at this time even if the reply is not over. */
  readonly closeBy: number | null;
  readonly requestedAt: number;
  readonly releasedAt: number | null;
  readonly firstTextAt: number | null;
  /** Time of the model's last event. */
  readonly activeAt: number;
  /** The caller's words that a prepared reply answers; null: not prepared. */
  readonly answers: string | null;
  /** A prepared reply of a brain that heard the turn itself: it answers the turn whatever its words are. */
  readonly hears?: true;
  /** 2: the retry of a failed reply. */
  readonly attempt: 1 | 2;
  /** The model failed in the middle of it: a new reply goes on after what is spoken. */
  readonly brokenOff?: true;
}

/** The caller's speech that is not committed as a turn. */
export interface Caller {
  readonly speaking: boolean;
  /** The sound is quiet at the moment, and may have ended. */
  readonly paused: boolean;
  /** There was sound since the last commit; words without sound are late ones. */
  readonly sounded: boolean;
  /** The gate has not heard this sound: its words alone say when it was. */
  readonly soft: boolean;
  /** Talk over the agent is much softer than the caller's: a television, or somebody else in the room. */
  readonly far: boolean;
  /** Counts sound segments, to tell a repeated final from a repeated word. */
  readonly segment: number;
  readonly segmentSince: number;
  /** Audio time of the start of the segment; null: unknown. */
  readonly segmentAudioMs: number | null;
  /** First and last sound of the turn. */
  readonly firstSince: number;
  readonly quietSince: number;
  /** End of sound before the current segment, restored if the segment was noise. */
  readonly quietBefore: number | null;
  readonly text: string;
  readonly partial: string;
  /** Deadline of the final for speech that ended; null: none is pending. */
  readonly awaitingUntil: number | null;
  /** A final arrived in this segment, and no words after it. */
  readonly segmentFinal: boolean;
  /** A partial or final arrived in this segment. */
  readonly segmentHeard: boolean;
  /** The words of this segment so far are backchannels. */
  readonly segmentHarmless: boolean;
  /** The final of the previous segment is still pending. */
  readonly owedFinal: boolean;
  /** Sound went on without words for so long that it is ignored. */
  readonly ignored: boolean;
  /** The turn holds speech without recognised words, where free speech is lost. */
  readonly unclear: boolean;
  readonly finalAt: number | null;
  readonly lastFinal: {
    readonly segment: number;
    readonly text: string;
    readonly turn: string | null;
    readonly audioMs: number | null;
  } | null;
  /** The recogniser ended the turn: it is committed as soon as the floor is free. */
  readonly certain: boolean;
  /** Whether a model took the turn for finished by its sound; null: unknown since the last sound. */
  readonly judged: boolean | null;
  /** The turn has typed words. */
  readonly typed: boolean;
  /** The recogniser's turn of `partial`; null: it has no turns. */
  readonly partialTurn: string | null;
  /** Words that were taken before the recogniser ended its turn; without turns (null), before its final for the segment. */
  readonly taken: { readonly turn: string | null; readonly segment: number; readonly text: string } | null;
  readonly changedAt: number;
  /** A backchannel over the agent's speech: the answer if the agent's question ends right after. */
  readonly early: { readonly text: string; readonly since: number; readonly at: number } | null;
  /** Preparing a reply failed: the next request waits for the commit. */
  readonly unprepared: boolean;
  /** Words for which a reply was prepared before the recogniser ended them. */
  readonly anticipated: readonly string[];
  /** How often the turn was reopened; `reopenedText` is its text until new words arrive. */
  readonly reopened: number;
  readonly reopenedText: string | null;
}

export interface Keypad {
  readonly digits: string;
  /** The answer is complete: no pause is waited for. */
  readonly complete: boolean;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Number of this entry of sensitive keys; null: the keys are not sensitive. */
  readonly hidden: number | null;
}

/** The caller's last committed turn. It can be reopened until `sealed`, which happens when the agent is heard. */
export interface CommittedTurn {
  readonly number: number;
  readonly text: string;
  readonly typed: boolean;
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
  /** Long and without a cut-in: waits may be shortened. */
  readonly fluent: boolean;
}

/** The continuation after `speaking_stopped`. */
export type AfterStop =
  | { readonly kind: 'barge_in'; readonly confirmed: boolean; readonly since: number }
  | { readonly kind: 'end'; readonly reason: EndReason; readonly hangup: boolean }
  | { readonly kind: 'say'; readonly text: string; readonly reason: EndReason; readonly closeBy: number }
  | { readonly kind: 'skip' }
  | { readonly kind: 'hush'; readonly say: string | null }
  | { readonly kind: 'hold' };

export interface TurnState {
  readonly settings: TurnSettings;
  /** When the next `wake` event is due; null: no timer is set. */
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
  /** The time by which the first message is due; null: it has begun, or there is none. */
  readonly startBy: number | null;
  /** On hold by the far side. */
  readonly held: boolean;
  /** Who answered: the speech of a mailbox or a screening machine is ignored. */
  readonly attended: 'person' | 'screening' | 'machine';
  readonly reply: Reply | null;
  readonly stopping: (AfterStop & { readonly at: number }) | null;
  /** The agent's voice is lowered, because the caller may be interrupting. */
  readonly lowered: boolean;
  /** The stop that suspended the reply, reported once the interruption is confirmed. */
  readonly stopped: { readonly since: number; readonly at: number } | null;
  readonly caller: Caller;
  readonly keypad: Keypad | null;
  readonly turn: CommittedTurn | null;
  readonly history: readonly HistoryItem[];
  readonly memory: unknown;
  readonly expected: Expected | null;
  /** Start of the mutual silence, and whether the check-in was spoken in it. */
  readonly idle: { readonly since: number; readonly warned: boolean };
  readonly tools: {
    readonly pending: readonly {
      readonly id: string;
      readonly name: string;
      readonly args: Record<string, unknown>;
      readonly until: number;
      readonly replyId: number;
      /** The idempotency key. */
      readonly key: string;
      /** The result triggers no reply: the caller has the floor or interrupted. */
      readonly quiet: boolean;
      /** Set for a tool that waits for the caller's keys. */
      readonly keys: KeyWait | null;
    }[];
    /** Phrase that fills the wait, and its time. */
    readonly filler: { readonly at: number; readonly text: string } | null;
    readonly results: readonly HistoryItem[];
    /** Keys of the calls of this turn that have their results. */
    readonly done: readonly string[];
    /** The history holds results that no reply has seen. */
    readonly fresh: boolean;
    readonly rounds: number;
  };
  /** Waits adapted to this caller, ms. */
  readonly adapted: {
    readonly completeMs: number;
    readonly questionMs: number;
    readonly defaultMs: number;
    readonly minSpeechMs: number;
    /** From the caller's first sound to the recogniser's first words; null: words come at the end of the speech. */
    readonly wordsAfterMs: number | null;
  };
  /** Consecutive failures, and consecutive segments without words. */
  readonly failures: number;
  readonly missed: number;
  /** Entries of sensitive keys so far, and the time of the last such key. */
  readonly hiddenKeys: { readonly entries: number; readonly lastAt: number | null };
  readonly turns: number;
  readonly nextReplyId: number;
  readonly nextUtteranceId: number;
}

/** A state under construction, with the effects so far. */
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

/** Patches the live reply; a no-op without one. */
export const changeReply = (step: Step, patch: Partial<Reply>, ...effects: TurnEffect[]): Step =>
  step.state.reply === null ? step : change(step, { reply: { ...step.state.reply, ...patch } }, ...effects);

const QUIET: Caller = {
  speaking: false,
  paused: false,
  sounded: false,
  soft: false,
  far: false,
  segment: 0,
  segmentSince: 0,
  segmentAudioMs: null,
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
  unclear: false,
  finalAt: null,
  lastFinal: null,
  certain: false,
  judged: null,
  typed: false,
  partialTurn: null,
  taken: null,
  changedAt: 0,
  early: null,
  unprepared: false,
  anticipated: [],
  reopened: 0,
  reopenedText: null,
};

/** The caller after a commit: no words, but the segment and its pending final are kept. */
export const clearedCaller = (caller: Caller): Caller => ({
  ...QUIET,
  speaking: caller.speaking,
  paused: caller.paused,
  sounded: caller.speaking,
  far: caller.far,
  segment: caller.segment,
  segmentSince: caller.segmentSince,
  segmentAudioMs: caller.segmentAudioMs,
  firstSince: caller.segmentSince,
  quietSince: caller.quietSince,
  ignored: caller.ignored,
  lastFinal: caller.lastFinal,
  taken: caller.taken,
});

/** The state of a call that has not been answered yet. */
export function initialState(settings: TurnSettings): TurnState {
  return {
    settings,
    wakeAt: null,
    call: { phase: 'waiting' },
    startBy: null,
    held: false,
    attended: 'person',
    reply: null,
    stopping: null,
    lowered: false,
    stopped: null,
    caller: QUIET,
    keypad: null,
    turn: null,
    history: [],
    memory: null,
    expected: null,
    idle: { since: 0, warned: false },
    tools: { pending: [], filler: null, results: [], done: [], fresh: false, rounds: 0 },
    adapted: {
      completeMs: settings.endpointing.completeMs,
      questionMs: settings.endpointing.questionMs ?? settings.endpointing.completeMs,
      defaultMs: settings.endpointing.defaultMs,
      minSpeechMs: settings.interruption.minSpeechMs,
      wordsAfterMs: null,
    },
    failures: 0,
    missed: 0,
    hiddenKeys: { entries: 0, lastAt: null },
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
  requestedAt: at,
  releasedAt: phase === 'released' ? at : null,
  firstTextAt: null,
  activeAt: at,
  answers: null,
  attempt: 1,
});

/** Utterances with the model's words. */
export const ownUtterances = ({ utterances }: Reply): readonly Utterance[] =>
  utterances.filter(({ isFiller }) => isFiller !== true);

export const isAudible = (reply: Reply | null): boolean =>
  reply !== null && reply.utterances.some((u) => u.startedAt !== null);

/** The caller is making sound that is not ignored. */
export const isTalking = (caller: Caller): boolean => caller.speaking && !caller.ignored;

/** No reply is released: the caller's words can become a turn. */
export const isFloorFree = (state: TurnState): boolean =>
  state.reply === null || state.reply.phase === 'prepared';

export const isUnfinished = (utterance: Utterance): boolean =>
  utterance.status === 'queued' || utterance.status === 'playing';
