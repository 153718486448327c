import type { Expected, HistoryItem, KeyWait } from './ports.ts';
import type { Caller } from './caller-state.ts';
import type { CommittedTurn } from './committed-turn.ts';
import type { AdaptedWaits } from './policies/adapt.ts';
import type { Reply, ToolCall } from './reply-state.ts';
import type { EndReason, TurnEffect, TurnSettings } from './types.ts';

export interface Keypad {
  readonly digits: string;
  /** The answer is complete: no pause is waited for. */
  readonly complete: boolean;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Number of this entry of sensitive keys; null: the keys are not sensitive. */
  readonly hidden: number | null;
}

/** A sentence that the agent speaks; `author`: the person who wrote it. */
export interface Words {
  readonly text: string;
  readonly author?: string;
}

/** The continuation after `speaking_stopped`. */
export type AfterStop =
  | { readonly kind: 'barge_in'; readonly confirmed: boolean; readonly since: number }
  | { readonly kind: 'end'; readonly reason: EndReason; readonly hangup: boolean }
  | { readonly kind: 'say'; readonly text: string; readonly reason: EndReason; readonly closeBy: number }
  | { readonly kind: 'skip' }
  | { readonly kind: 'hush'; readonly say: Words | null }
  | { readonly kind: 'hold' };

export interface TurnState {
  readonly settings: TurnSettings;
  /** When the next `wake` event is due; null: no timer is set. */
  readonly wakeAt: number | null;
  readonly call:
    | { readonly phase: 'waiting' }
    | { readonly phase: 'talking'; readonly answeredAt: number; readonly goodbyeAt: number | null }
    | { readonly phase: 'ended'; readonly reason: EndReason; readonly at: number };
  /** Deadline of the first message; null: it has begun, or the agent has none. */
  readonly startBy: number | null;
  /** On hold by the far side. */
  readonly held: boolean;
  /** Who answered: the speech of a mailbox or a screening machine is ignored. */
  readonly attended: 'person' | 'screening' | 'machine';
  readonly reply: Reply | null;
  /** The session stops the agent's speech, and has not reported yet what was heard. */
  readonly stopping: { readonly at: number; readonly next: AfterStop } | null;
  /** The agent's voice. `lowered`: the caller may be interrupting. `silenced`: a person of the workspace talks in its place. */
  readonly voice: 'full' | 'lowered' | 'silenced';
  readonly caller: Caller;
  readonly keypad: Keypad | null;
  readonly turn: CommittedTurn | null;
  readonly history: readonly HistoryItem[];
  readonly memory: unknown;
  readonly expected: Expected | null;
  /** The brain replies to a silent caller in place of the check-in. */
  readonly onSilence: boolean;
  /** Start of the mutual silence, and whether the check-in was spoken in it. */
  readonly idle: { readonly since: number; readonly warned: boolean };
  readonly tools: {
    readonly pending: readonly (ToolCall & {
      readonly until: number;
      readonly replyId: number;
      /** The idempotency key. */
      readonly key: string;
      /** The result triggers no reply: the caller has the floor or interrupted. */
      readonly quiet: boolean;
      /** Set for a tool that waits for the caller's keys. */
      readonly keys: KeyWait | null;
    })[];
    /** Phrase that fills the wait, and its time. */
    readonly filler: { readonly at: number; readonly text: string } | null;
    readonly results: readonly HistoryItem[];
    /** Keys of the calls of this turn that have their results. */
    readonly done: readonly string[];
    /** The history holds results that no reply has seen. */
    readonly fresh: boolean;
    readonly rounds: number;
  };
  /** Waits adapted to this caller. */
  readonly adapted: AdaptedWaits;
  /** Consecutive failures, and consecutive segments without words. */
  readonly failures: number;
  readonly missed: number;
  /** The last phrase that filled a wait. */
  readonly lastFiller: string | null;
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

/** No reply is released: the caller's words can become a turn. */
export const isFloorFree = (state: TurnState): boolean =>
  state.reply === null || state.reply.playing.phase === 'prepared';

/** A person of the workspace talks in the agent's place: it neither speaks nor asks its model. */
export const isSilenced = ({ voice }: TurnState): boolean => voice === 'silenced';
