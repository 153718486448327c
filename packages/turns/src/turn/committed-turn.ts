import type { Expected, HistoryItem } from './ports.ts';
import type { Keypad } from './state.ts';

/** The caller's last committed turn. It can be reopened until it is sealed, which happens when the agent is heard. */
export interface CommittedTurn {
  readonly text: string;
  /** How many characters of `text` the transcript had before the commit. */
  readonly transcribed: number;
  readonly typed: boolean;
  readonly keypad: Keypad | null;
  readonly startedAt: number;
  readonly lastSoundAt: number;
  readonly committedAt: number;
  readonly finalAt: number | null;
  readonly historyBefore: readonly HistoryItem[];
  /** A number of unknown length, and what its reply changed: more digits take the turn back. Null: the words are no such number. */
  readonly number: { readonly memory: unknown; readonly expected: Expected | null } | null;
  readonly reopened: number;
  readonly prepared: boolean;
  /** `reported`: sealed, and its latency is measured. */
  readonly phase: 'open' | 'sealed' | 'reported';
  /** Long and without a cut-in: waits may be shortened. */
  readonly fluent: boolean;
}

export const sealed = (turn: CommittedTurn): CommittedTurn => ({ ...turn, phase: 'sealed' });
export const reported = (turn: CommittedTurn): CommittedTurn => ({ ...turn, phase: 'reported' });
/** The turn has shortened the waits; it does so once. */
export const learned = (turn: CommittedTurn): CommittedTurn => ({ ...turn, fluent: false });
