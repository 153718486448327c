export type CallStatus = 'registered' | 'ongoing' | 'retry' | 'completed' | 'failed' | 'error' | 'cancelled';

/** The only moves of a call's status; terminal ones lead nowhere. */
export const TRANSITIONS: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  registered: ['ongoing', 'cancelled', 'error'],
  ongoing: ['completed', 'retry', 'failed', 'error'],
  retry: ['ongoing', 'cancelled', 'failed'],
  completed: [],
  failed: [],
  error: [],
  cancelled: [],
};

export const canMove = (from: CallStatus, to: CallStatus): boolean => TRANSITIONS[from].includes(to);
export const isTerminal = (status: CallStatus): boolean => TRANSITIONS[status].length === 0;
/** Waiting to be dialled: may still be cancelled without anyone having been rung for this attempt. */
export const isQueued = (status: CallStatus): boolean => status === 'registered' || status === 'retry';
