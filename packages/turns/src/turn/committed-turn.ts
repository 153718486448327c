import type { HistoryItem } from './ports.ts';
import type { Keypad } from './state.ts';

/** The caller's last committed turn. It can be reopened until it is sealed, which happens when the agent is heard. */
export interface CommittedTurn {
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
  /** `reported`: sealed, and its latency is measured. */
  readonly phase: 'open' | 'sealed' | 'reported';
  /** Long and without a cut-in: waits may be shortened. */
  readonly fluent: boolean;
}

export const sealed = (turn: CommittedTurn): CommittedTurn => ({ ...turn, phase: 'sealed' });
export const reported = (turn: CommittedTurn): CommittedTurn => ({ ...turn, phase: 'reported' });
/** The turn has shortened the waits; it does so once. */
export const learned = (turn: CommittedTurn): CommittedTurn => ({ ...turn, fluent: false });
