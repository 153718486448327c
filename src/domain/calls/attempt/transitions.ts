import type { CallStatus } from '../../../store/schema.ts';

export type { CallStatus } from '../../../store/schema.ts';

/** Status and sub-status as the database holds them. */
export interface StoredStatus {
  readonly status: CallStatus;
  readonly subStatus: string;
}

/** The operations that change a call's status. */
export type Move = 'claim' | 'release' | 'settle' | 'end_queued';

/**
 * Every transition of a call's status, by operation. `claim` starts an attempt (scheduler/claim), `release` rolls a
 * claim back as if the attempt had never started, `settle` ends an attempt, `end_queued` ends a call between attempts.
 */
export const TRANSITIONS: Readonly<Record<Move, Partial<Record<CallStatus, readonly CallStatus[]>>>> = {
  claim: { registered: ['ongoing'], retry: ['ongoing'] },
  release: { ongoing: ['registered', 'retry'] },
  settle: { ongoing: ['completed', 'retry', 'failed', 'error'] },
  end_queued: { registered: ['cancelled', 'error'], retry: ['cancelled', 'failed'] },
};

export const canMove = (move: Move, from: CallStatus, to: CallStatus): boolean =>
  TRANSITIONS[move][from]?.includes(to) === true;
/** No operation changes a terminal status. */
export const isTerminal = (status: CallStatus): boolean =>
  Object.values(TRANSITIONS).every((moves) => moves[status] === undefined);
/** Queued calls wait for a claim: they can be cancelled without a phone having rung for the next attempt. */
export const isQueued = (status: CallStatus): boolean => TRANSITIONS.claim[status] !== undefined;

/** Throws for a transition that the table does not have: a programming error, before anything is written. */
export function checkMove(move: Move, from: CallStatus, to: CallStatus): void {
  if (!canMove(move, from, to)) throw new Error(`${move} cannot move a call from ${from} to ${to}`);
}
