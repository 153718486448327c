import type { EventSubscription } from '../../store/json/agent-version.ts';
import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { countStates, type SourceStates } from '../../store/knowledge/sources.ts';
import type { JsonObject } from '../../store/schema.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { subscriptionsTo } from '../../store/webhooks/outages.ts';
import { targetsOf } from '../webhooks/subscriptions.ts';
import { processingStatus } from './processing-status.ts';

/** Sent when the last file or URL of a knowledge base that waited was read or failed. */
export const KNOWLEDGE_PROCESSED = 'knowledge_processed';

export interface ProcessedBase {
  readonly workspaceId: string;
  readonly kbId: string;
  readonly kbName: string;
  readonly states: SourceStates;
}

export const knowledgeProcessedBody = (
  eventId: string,
  { workspaceId, kbId, kbName, states }: ProcessedBase,
  at: Date,
): JsonObject => ({
  event_type: KNOWLEDGE_PROCESSED,
  event_id: eventId,
  workspace_id: workspaceId,
  kb_id: kbId,
  kb_name: kbName,
  processing_status: processingStatus(states),
  completed_sources: states.ready,
  failed_sources: states.failed,
  occurred_at: at.toISOString(),
});

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
  const lists = (await subscriptionsTo(tx, base.workspaceId, KNOWLEDGE_PROCESSED)) as EventSubscription[][];
  const targets = lists.flatMap((list) => targetsOf(KNOWLEDGE_PROCESSED, list));
  if (targets.length === 0) return;
  const eventId = newId();
  const body = knowledgeProcessedBody(eventId, { ...base, states }, at);
  // The event belongs to no call; its own id takes the place of one.
  const event = { workspaceId: base.workspaceId, callId: newId(), eventId, eventType: KNOWLEDGE_PROCESSED };
  await insertEvent(tx, { ...event, dedup: KNOWLEDGE_PROCESSED, body, at }, targets);
}
