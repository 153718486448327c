import { lockCalls, type CallFacts } from '../../store/call-facts.ts';
import { endCalls } from '../../store/settlements.ts';
import type { Tx } from '../../store/database.ts';
import { keepAnalyticsFolded } from '../analytics/keep-folded.ts';
import { appendEvents } from '../webhooks/events.ts';
import { noConversation } from '../webhooks/completed.ts';
import { endProcessing } from './end-processing.ts';
import { canMove, isQueued, type CallStatus } from './transitions.ts';

/** How a call ends that is not dialled any more. */
export interface QueuedEnd {
  readonly subStatus: string;
  readonly status: 'cancelled' | 'unable';
}

/**
 * Ends a call that waits in the queue, with the events of its end. Returns its new status, or null when it no longer
 * waits. A fresh call and one between retries end in different states where the move table says so.
 */
export async function endQueued(
  tx: Tx,
  workspaceId: string,
  callId: string,
  end: QueuedEnd,
  at: Date,
): Promise<CallStatus | null> {
  const [call] = await endWaiting(tx, workspaceId, await lockCalls(tx, workspaceId, [callId]), end, at);
  return call?.status ?? null;
}

/** The same for calls of one workspace that are locked already; returns those that waited, as they are now. */
export async function endWaiting(
  tx: Tx,
  workspaceId: string,
  calls: readonly CallFacts[],
  end: QueuedEnd,
  at: Date,
): Promise<CallFacts[]> {
  const ended = calls
    .filter((call) => isQueued(call.status))
    .map((call): CallFacts => {
      const unable: CallStatus = canMove(call.status, 'error') ? 'error' : 'failed';
      const status = end.status === 'cancelled' ? 'cancelled' : unable;
      return { ...call, status, subStatus: end.subStatus };
    });
  if (ended.length === 0) return [];
  await endCalls(tx, workspaceId, ended, { subStatus: end.subStatus, at });
  const events = ended.map((call) => {
    const more = noConversation(call.createdAt);
    // The number after the last attempt's: this end belongs to no attempt.
    return { call, event: { type: 'call_completed' as const, attempt: call.attempt + 1, at, more } };
  });
  await appendEvents(tx, events);
  await endProcessing(tx, workspaceId, ended, at);
  await keepAnalyticsFolded(
    tx,
    workspaceId,
    ended.map((call) => call.id),
  );
  return ended;
}
