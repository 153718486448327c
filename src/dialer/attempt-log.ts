import type { CallFailure } from '../telephony/leg.ts';
import type { CallResult } from '../workers/protocol.ts';

export interface AttemptRef {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number;
}

/** How an attempt ended, as the signalling and the conversation saw it. Times are epoch ms. */
export type AttemptEnding =
  | { kind: 'not_answered'; failure: CallFailure; at: number }
  | {
      kind: 'answered';
      result: CallResult;
      answeredAt: number;
      hangupBy: 'caller' | 'agent' | 'system';
      sipCode: number | null;
      at: number;
    };

/** What the call is after an attempt was settled. */
export interface Settled {
  status: string;
  subStatus: string;
}

/** The durable side of an attempt: every step is in the database before the world sees the next one. */
export interface AttemptLog {
  /** The last gate, committed right before the INVITE. `stop`: nothing may be sent, and nothing is to settle. */
  dialing(ref: AttemptRef): Promise<'go' | 'stop'>;
  ringing(ref: AttemptRef, at: number, sipCode: number): Promise<void>;
  answered(ref: AttemptRef, at: number, sipCallId: string): Promise<void>;
  settle(ref: AttemptRef, ending: AttemptEnding): Promise<Settled>;
  /** Gives an attempt back that never left this process: no retry is consumed. */
  release(ref: AttemptRef): Promise<void>;
}
