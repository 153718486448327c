import { queuedFailure } from '../../../shared/failure-reason.ts';
import { lockCalls, type CallFacts } from '../../../store/calls/facts.ts';
import { endCalls } from '../../../store/calls/attempts.ts';
import type { Tx } from '../../../store/database.ts';
import { keepAnalyticsFolded } from '../../analytics/keep-folded.ts';
import { appendEvents } from '../../webhooks/events.ts';
import { noConversation } from '../../../wire/events/conversation.ts';
import { endProcessing } from '../end-processing.ts';
import { resultOfEnding } from '../result.ts';
import { canMove, checkMove, isQueued, type CallStatus } from './transitions.ts';

/** How a queued call ends; `unable` is `error` before the first attempt and `failed` between retries. */
export interface QueuedEnd {
  readonly subStatus: string;
  readonly status: 'cancelled' | 'unable';
}

/** Ends a queued call with its events. Returns the new status, or null when the call is not queued any more. */
export async function endQueued(
  tx: Tx,
  workspaceId: string,
  callId: string,
  end: QueuedEnd,
  at: Date,
): Promise<CallStatus | null> {
  const [call] = await endQueuedCalls(tx, workspaceId, await lockCalls(tx, workspaceId, [callId]), end, at);
  return call?.status ?? null;
}

/** Ends those of one workspace's locked calls that are queued, and returns them in their new state. */
export async function endQueuedCalls(
  tx: Tx,
  workspaceId: string,
  calls: readonly CallFacts[],
  end: QueuedEnd,
  at: Date,
): Promise<CallFacts[]> {
  const ended = calls
    .filter((call) => isQueued(call.status))
    .map((call): CallFacts => {
      const unable: CallStatus = canMove('end_queued', call.status, 'error') ? 'error' : 'failed';
      const status = end.status === 'cancelled' ? 'cancelled' : unable;
      checkMove('end_queued', call.status, status);
      return { ...call, status, subStatus: end.subStatus };
    });
  if (ended.length === 0) return [];
  const { subStatus } = end;
  const result = resultOfEnding({
    subStatus,
    isOutbound: true,
    isDeclined: false,
    durationMs: null,
    answeredBy: null,
  });
  await endCalls(tx, workspaceId, ended, { subStatus, result, at });
  const events = ended.map((call) => {
    const more = noConversation(
      call.createdAt,
      end.status === 'unable' ? queuedFailure(end.subStatus) : null,
    );
    // This end belongs to no attempt, so its event takes the number after the last attempt's.
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
