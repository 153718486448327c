import type { Clock } from '../../../shared/clock.ts';
import { lockCall, lockLiveAttempt, type CallFacts } from '../../../store/calls/facts.ts';
import { type AttemptRef, releaseAttempt } from '../../../store/calls/attempts.ts';
import { appendToolLog } from '../../../store/calls/records.ts';
import type { Db, Tx } from '../../../store/database.ts';
import type { ToolLogEntry } from '../../../voice/conversation.ts';
import { openingAfter } from '../../call-windows/call-window.ts';
import { checkMove, type CallStatus, type StoredStatus } from './transitions.ts';

/** Why an attempt is released, when its call may be claimed again (epoch ms), and the tools that ran for it. */
export interface Release {
  readonly subStatus: string;
  readonly dueAt: number;
  readonly toolLog?: readonly ToolLogEntry[];
  /**
   * The dial is journalled, but the INVITE never left. Only the process that holds the attempt can know that: for every
   * other one a journalled dial may have rung. The next attempt has the same number, and the `call_started` already
   * written counts for it.
   */
  readonly isUnsent?: true;
}

/** `stored` is the call's status after the operation, also when nothing was released; null: no such call. */
export interface Released {
  readonly released: boolean;
  readonly stored: StoredStatus | null;
}

export const storedStatus = (call: CallFacts | null): StoredStatus | null =>
  call === null ? null : { status: call.status, subStatus: call.subStatus };

/**
 * Rolls back the attempt of a locked call: its journal row and money lock are deleted, its number is free for the next
 * attempt, and no retry is used. The call is due at `dueAt`, or at its window's next opening after that; a window that
 * never opens again ends the call at its next claim. The tool log stays: the tools did run.
 *
 * Lock order: call, workspace (money and hint), campaign (hint). The dial gate holds the campaign before the call, so
 * a transaction that holds a campaign must not release.
 */
export async function releaseLocked(
  tx: Tx,
  call: CallFacts,
  again: Release,
  now: number,
): Promise<CallFacts> {
  const opening =
    openingAfter(call.versionConfig, call.callConfig, call.toNumber, again.dueAt) ?? again.dueAt;
  const subStatus = opening > again.dueAt ? 'WINDOW_CLOSED' : again.subStatus;
  const status: CallStatus = call.retriesUsed > 0 ? 'retry' : 'registered';
  checkMove('release', call.status, status);
  const at = new Date(now);
  await releaseAttempt(tx, call, { status, subStatus, dueAt: new Date(opening), at });
  await appendToolLog(tx, call.workspaceId, call.id, again.toolLog ?? [], at);
  return { ...call, status, subStatus, attempt: call.attempt - 1, reserved: 0, nodeId: null };
}

/** A claim without a journalled dial: no INVITE was permitted, so no phone rang. */
export const isUndialled = (call: CallFacts): boolean =>
  call.status === 'ongoing' && call.callType === 'outbound' && call.dialedAt === null;

/** Releases a locked call's claim if it is undialled; any other call is returned unchanged. */
export async function releaseUndialled(tx: Tx, call: CallFacts, now: number): Promise<CallFacts> {
  return isUndialled(call) ? releaseLocked(tx, call, { subStatus: 'QUEUED', dueAt: now }, now) : call;
}

interface ReleaseDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Releases an attempt before its dial gate, because no media is free or its process died, or one whose INVITE never
 * left (`isUnsent`). Refused for a call that may have rung, and for an unsent one whose retries were withdrawn.
 */
export function release(deps: ReleaseDeps, ref: AttemptRef, again: Release): Promise<Released> {
  const mayRelease = (call: CallFacts): boolean =>
    again.isUnsent === true ? !call.noRetry : isUndialled(call);
  return deps.db.transaction().execute(async (tx) => {
    const call = await lockLiveAttempt(tx, ref);
    if (call === null || !mayRelease(call)) {
      return {
        released: false,
        stored: storedStatus(call ?? (await lockCall(tx, ref.workspaceId, ref.callId))),
      };
    }
    return { released: true, stored: storedStatus(await releaseLocked(tx, call, again, deps.clock.now())) };
  });
}
