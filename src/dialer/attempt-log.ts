import { optOutOfCall } from '../domain/calls/opt-out.ts';
import { settleAttempt, type SettleDeps } from '../domain/calls/settle-call.ts';
import { journalSent, type AttemptRef, type Ringing } from '../store/attempts.ts';
import { journalCallback } from '../store/callbacks.ts';
import type { CallFailure } from '../telephony/leg.ts';
import type { Log } from '../shared/log.ts';
import type { CallResult, Talk, ToolUse } from '../workers/protocol.ts';
import {
  markAnswered,
  markDialing,
  markRedialing,
  markRinging,
  releaseClaim,
  releaseUnsent,
  type DialDecision,
} from './journal.ts';
import { TalkJournal } from './talk-journal.ts';

/** How an attempt ended, as the signalling and the conversation saw it. Times are epoch ms. */
export type AttemptEnding =
  | {
      kind: 'not_answered';
      failure: CallFailure;
      sipCallId: string | null;
      toolLog: readonly ToolUse[];
      at: number;
    }
  /** A tool that the call depends on failed: nobody was rung. */
  | { kind: 'not_dialled'; toolLog: readonly ToolUse[]; at: number }
  | {
      kind: 'answered';
      /** Null: the worker that held the conversation is gone. */
      result: CallResult | null;
      /** When the person was promised a call. */
      callbackAt: number | null;
      answeredAt: number;
      hangupBy: 'caller' | 'agent' | 'system';
      sipCallId: string | null;
      sipCode: number | null;
      at: number;
    };

/** How long a go of the last gate may hold; epoch ms, null: no such moment. */
export interface DialWord {
  /** No INVITE may leave from then on. */
  readonly inviteUntil: number | null;
  /** Nobody may ring from then on. */
  readonly ringUntil: number | null;
}

/** What the call is after an attempt was settled. */
export interface Ended {
  status: string;
  subStatus: string;
}

/** The durable side of an attempt: every step is in the database before the world sees the next one. */
export interface AttemptLog {
  /** The last gate, committed right before the INVITE. Null: nothing may be sent, and nothing is to settle. */
  dialing(ref: AttemptRef): Promise<DialWord | null>;
  /** The same gate for an INVITE that comes later than its word holds. Null: it may not be sent. */
  redialing(ref: AttemptRef): Promise<DialWord | null>;
  /** The INVITE has left. */
  sent(ref: AttemptRef): Promise<void>;
  ringing(ref: AttemptRef, ringing: Ringing): Promise<void>;
  /** `missed` is a ringing that could not be written. False: this node no longer owns the call, so the leg must be hung up. */
  answered(ref: AttemptRef, at: number, missed: Ringing | null): Promise<boolean>;
  /** The person asked not to be called again, while the call goes on. */
  optOut(ref: AttemptRef): Promise<void>;
  /** The person was promised a call at `at`. */
  callback(ref: AttemptRef, at: number): Promise<void>;
  /** The next piece of the talk, counted from 1; it is written soon, and nothing waits for it. */
  talk(ref: AttemptRef, seq: number, news: Talk): void;
  settle(ref: AttemptRef, ending: AttemptEnding, missed: Ringing | null): Promise<Ended>;
  /** Gives back an attempt that never left this process: no retry is consumed. */
  release(ref: AttemptRef): Promise<void>;
  /** The same for one that was journalled and whose INVITE, as this process knows, has not left. */
  unsent(ref: AttemptRef): Promise<boolean>;
}

/** How soon a call that found no free media is tried again. */
const RELEASE_DELAY_MS = 1000;

/** The attempt log over the database: journal before the INVITE, settlement after the end. */
export function createAttemptLog(deps: SettleDeps & { readonly log: Log }): AttemptLog {
  const talk = new TalkJournal(deps);
  return {
    dialing: async (ref) => wordOf(await markDialing(deps, ref)),
    redialing: async (ref) => wordOf(await markRedialing(deps, ref)),
    sent: (ref) => journalSent(deps.db, ref, new Date(deps.clock.now())),
    ringing: async (ref, ringing) => {
      await markRinging(deps, ref, ringing);
    },
    answered: (ref, at, missedRinging) => markAnswered(deps, ref, { at, missedRinging }),
    optOut: (ref) => optOutOfCall(deps, ref),
    callback: (ref, at) => journalCallback(deps.db, ref, new Date(at)),
    talk: (ref, seq, news) => talk.add(ref, seq, news),
    settle: async (ref, ending, missedRinging) => {
      // Nothing else is known of a conversation whose worker is gone.
      if (ending.kind === 'answered' && ending.result === null) await talk.flush();
      const settled = await settleAttempt(deps, { ...ref, ...settlementOf(ending), missedRinging });
      talk.forget(ref.callId);
      return settled.settled
        ? { status: settled.status, subStatus: settled.subStatus }
        : { status: 'error', subStatus: 'UNKNOWN_AFTER_CRASH' };
    },
    release: async (ref) => {
      const dueAt = deps.clock.now() + RELEASE_DELAY_MS;
      await releaseClaim(deps, ref, { subStatus: 'LIMIT_REACHED', dueAt });
    },
    unsent: (ref) => {
      const dueAt = deps.clock.now() + RELEASE_DELAY_MS;
      return releaseUnsent(deps, ref, { subStatus: 'QUEUED', dueAt });
    },
  };
}

const wordOf = (decision: DialDecision): DialWord | null => (decision.go ? decision : null);

function settlementOf(ending: AttemptEnding) {
  if (ending.kind === 'not_dialled') {
    return {
      end: { kind: 'not_answered', failure: 'pre_call_failed' } as const,
      endedAt: ending.at,
      answeredAt: null,
      hangupBy: null,
      sipCallId: null,
      sipCode: null,
      reason: 'a tool before the call failed',
      toolLog: ending.toolLog,
      result: null,
    };
  }
  if (ending.kind === 'not_answered') {
    const { failure } = ending;
    return {
      end: { kind: 'not_answered', failure: failure.failure } as const,
      endedAt: ending.at,
      answeredAt: null,
      hangupBy: null,
      sipCallId: ending.sipCallId,
      sipCode: failure.sipCode,
      reason: failure.reason,
      toolLog: ending.toolLog,
      result: null,
    };
  }
  return {
    end: { kind: 'answered', reason: ending.result?.reason ?? 'FAILED' } as const,
    endedAt: ending.at,
    answeredAt: ending.answeredAt,
    hangupBy: ending.hangupBy,
    sipCallId: ending.sipCallId,
    sipCode: ending.sipCode,
    reason: ending.result?.reason ?? 'the call worker ended',
    result: ending.result,
    callbackAt: ending.callbackAt,
  };
}
