import { lockCall, type CallFacts } from '../../store/call-facts.ts';
import { endCall } from '../../store/settlements.ts';
import type { Tx } from '../../store/database.ts';
import { appendEvent } from '../webhooks/events.ts';
import { noConversation } from '../webhooks/completed.ts';
import { canMove, isQueued, type CallStatus } from './transitions.ts';

/**
 * Ends a call that waits in the queue, with the events of its end. Returns its new status, or null when it no longer
 * waits. A fresh call and one between retries end in different states where the move table says so.
 */
export async function endQueued(
  tx: Tx,
  workspaceId: string,
  callId: string,
  end: { readonly subStatus: string; readonly status: 'cancelled' | 'unable' },
  at: Date,
): Promise<CallStatus | null> {
  const call = await lockCall(tx, workspaceId, callId);
  if (call === null || !isQueued(call.status)) return null;
  const unable: CallStatus = canMove(call.status, 'error') ? 'error' : 'failed';
  const status = end.status === 'cancelled' ? 'cancelled' : unable;
  await endCall(tx, workspaceId, callId, { status, subStatus: end.subStatus, at });
  const after: CallFacts = { ...call, status, subStatus: end.subStatus };
  const more = noConversation(call.createdAt);
  // The number after the last attempt's: this end belongs to no attempt.
  await appendEvent(tx, after, { type: 'call_completed', attempt: call.attempt + 1, at, more });
  await appendEvent(tx, after, {
    type: 'all_processing_completed',
    attempt: null,
    at,
    more: finalKeys(more),
  });
  return status;
}

const finalKeys = (more: Record<string, unknown>): Record<string, unknown> => ({
  ...more,
  recording_duration: null,
  platform_analysis: null,
  client_analysis: null,
});
