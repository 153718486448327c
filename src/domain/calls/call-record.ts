import { retriesStarted } from './retries-started.ts';
import type { CallRow } from '../../store/calls/history.ts';
import type { SignedLinks } from '../links/signed-links.ts';
import { recordingUrl } from './recording-link.ts';

/** A partial recording is playable, a failed one is not. */
export const hasRecording = (state: string | null): boolean => state === 'stored' || state === 'partial';

/** A call as listed in the history and in its details. */
export interface CallRecord {
  readonly id: string;
  readonly type: CallRow['call_type'];
  readonly status: CallRow['status'];
  readonly subStatus: string;
  /** Null: it has not ended. */
  readonly result: string | null;
  readonly resultSource: CallRow['result_source'];
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly agentId: string;
  readonly agentName: string | null;
  readonly versionId: string;
  readonly campaignId: string | null;
  readonly category: string | null;
  readonly parentCallId: string | null;
  readonly callbackCallId: string | null;
  readonly args: Record<string, string>;
  readonly durationMs: number | null;
  /** Micro-credits. */
  readonly cost: number;
  readonly retriesUsed: number;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** When it was last dialled, or came in; null: it was not dialled. */
  readonly dialedAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  readonly hangupBy: string | null;
  readonly recordingUrl: string | null;
}

export const toCallRecord = (row: CallRow, workspaceId: string, link: SignedLinks): CallRecord => ({
  id: row.id,
  type: row.call_type,
  status: row.status,
  subStatus: row.sub_status,
  result: row.result,
  resultSource: row.result_source,
  fromNumber: row.from_number,
  toNumber: row.to_number,
  calleeName: row.callee_name,
  agentId: row.agent_id,
  agentName: row.agent_name,
  versionId: row.version_id,
  campaignId: row.campaign_id,
  category: row.category,
  parentCallId: row.parent_call_id,
  callbackCallId: row.callback_call_id,
  args: row.args,
  durationMs: row.duration_ms,
  cost: row.cost,
  retriesUsed: retriesStarted(row),
  nextAttemptAt: row.next_attempt_at,
  createdAt: row.created_at,
  dialedAt: row.dialed_at ?? (row.call_type === 'outbound' ? null : row.created_at),
  answeredAt: row.answered_at,
  endedAt: row.ended_at,
  hangupBy: row.hangup_by,
  recordingUrl: hasRecording(row.recording_state) ? recordingUrl(link, workspaceId, row.id) : null,
});
