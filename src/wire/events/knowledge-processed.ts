import type { JsonObject } from '../../store/schema.ts';

/** Sent when the last file or URL of a knowledge base that waited was read or failed. */
export const KNOWLEDGE_PROCESSED = 'knowledge_processed';

/** The payload. */
export const knowledgeProcessedBody = (
  eventId: string,
  base: {
    readonly workspaceId: string;
    readonly kbId: string;
    readonly kbName: string;
    readonly status: string;
    readonly ready: number;
    readonly failed: number;
  },
  at: Date,
): JsonObject => ({
  event_type: KNOWLEDGE_PROCESSED,
  event_id: eventId,
  workspace_id: base.workspaceId,
  kb_id: base.kbId,
  kb_name: base.kbName,
  processing_status: base.status,
  completed_sources: base.ready,
  failed_sources: base.failed,
  occurred_at: at.toISOString(),
});
