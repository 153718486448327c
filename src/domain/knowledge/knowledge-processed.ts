import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { countStates } from '../../store/knowledge/sources.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { subscriptionsTo } from '../../store/webhooks/outages.ts';
import { KNOWLEDGE_PROCESSED, knowledgeProcessedBody } from '../../wire/events/knowledge-processed.ts';
import { targetsOf } from '../webhooks/subscriptions.ts';
import { processingStatus } from './processing-status.ts';

/** Runs `change` on a locked knowledge base, and queues the event if no source of it waits any more. */
export async function noteProcessed(
  tx: Tx,
  base: { readonly workspaceId: string; readonly kbId: string; readonly kbName: string },
  at: Date,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await countStates(tx, base.workspaceId, base.kbId);
  await change();
  const states = await countStates(tx, base.workspaceId, base.kbId);
  if (before.pending === 0 || states.pending > 0) return;
  const lists = await subscriptionsTo(tx, base.workspaceId, KNOWLEDGE_PROCESSED);
  const targets = lists.flatMap((list) => targetsOf(KNOWLEDGE_PROCESSED, list));
  if (targets.length === 0) return;
  const eventId = newId();
  const body = knowledgeProcessedBody(eventId, { ...base, ...states, status: processingStatus(states) }, at);
  // The event belongs to no call; its own id takes the place of one.
  const event = { workspaceId: base.workspaceId, callId: newId(), eventId, eventType: KNOWLEDGE_PROCESSED };
  await insertEvent(tx, { ...event, dedup: KNOWLEDGE_PROCESSED, body, at }, targets);
}
