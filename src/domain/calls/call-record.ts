import { retriesStarted } from './retries-started.ts';
import type { CallRow } from '../../store/calls/history.ts';
import type { SignedLinks } from '../links/signed-links.ts';
import { recordingUrl } from './recording-link.ts';

/** A partial recording is playable, a failed one is not. */
export const hasRecording = (state: string | null): boolean => state === 'stored' || state === 'partial';

/** A call as listed in the history and in its details. */
export interface CallRecord {
  readonly id: string;
  readonly type: CallRow['callType'];
  readonly status: CallRow['status'];
  readonly subStatus: string;
  /** Null: it has not ended. */
  readonly result: string | null;
  readonly resultSource: CallRow['resultSource'];
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
  /** Of its campaign; null: not stated, or no campaign. */
  readonly purpose: CallRow['purpose'];
  readonly dltTemplateId: string | null;
}

export const toCallRecord = (row: CallRow, workspaceId: string, link: SignedLinks): CallRecord => ({
  id: row.id,
  type: row.callType,
  status: row.status,
  subStatus: row.subStatus,
  result: row.result,
  resultSource: row.resultSource,
  fromNumber: row.fromNumber,
  toNumber: row.toNumber,
  calleeName: row.calleeName,
  agentId: row.agentId,
  agentName: row.agentName,
  versionId: row.versionId,
  campaignId: row.campaignId,
  category: row.category,
  parentCallId: row.parentCallId,
  callbackCallId: row.callbackCallId,
  args: row.args,
  durationMs: row.durationMs,
  cost: row.cost,
  retriesUsed: retriesStarted(row),
  nextAttemptAt: row.nextAttemptAt,
  createdAt: row.createdAt,
  dialedAt: row.dialedAt ?? (row.callType === 'outbound' ? null : row.createdAt),
  answeredAt: row.answeredAt,
  endedAt: row.endedAt,
  hangupBy: row.hangupBy,
  recordingUrl: hasRecording(row.recordingState) ? recordingUrl(link, workspaceId, row.id) : null,
  purpose: row.purpose,
  dltTemplateId: row.dltTemplateId,
});
