import { findCall } from '../../store/calls/history.ts';
import { findRecord } from '../../store/calls/records.ts';
import type { Db, Tx } from '../../store/database.ts';
import { insertJob } from '../../store/jobs.ts';
import { spansOf, type CallSpan, type SpanOptions, type TracedCall } from '../../wire/traces/spans.ts';

export type { CallSpan, SpanOptions } from '../../wire/traces/spans.ts';

export const TRACE_JOB = 'call.trace';

/** Queues the trace of an attempt that had a conversation. */
export const queueTrace = (
  tx: Tx,
  call: { readonly workspaceId: string; readonly id: string; readonly attempt: number },
  at: Date,
): Promise<void> =>
  insertJob(
    tx,
    {
      workspaceId: call.workspaceId,
      kind: TRACE_JOB,
      dedup: `${call.id}:${call.attempt}`,
      payload: { callId: call.id, attempt: call.attempt },
    },
    at,
  );

interface Attempt {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number;
}

/** The spans of an attempt; null: it was deleted or erased, or a later attempt's record replaced its record. */
export async function readTrace(db: Db, of: Attempt, options: SpanOptions): Promise<CallSpan[] | null> {
  const call = await readTracedCall(db, of);
  return call === null ? null : spansOf(call, options);
}

async function readTracedCall(db: Db, of: Attempt): Promise<TracedCall | null> {
  const call = await findCall(db, of.workspaceId, of.callId);
  const record = await findRecord(db, of.workspaceId, of.callId);
  if (call === undefined || record === undefined || record.erasedAt !== null) return null;
  const { endedAt } = call;
  if (record.attempt !== of.attempt || call.attempt !== of.attempt || endedAt === null) return null;
  return {
    id: call.id,
    workspaceId: of.workspaceId,
    agentId: call.agentId,
    agentName: call.agentName,
    versionId: call.versionId,
    campaignId: call.campaignId,
    callType: call.callType,
    attempt: of.attempt,
    subStatus: call.subStatus,
    startMs: (call.dialedAt ?? call.answeredAt ?? call.createdAt).getTime(),
    answeredMs: call.answeredAt?.getTime() ?? null,
    endMs: endedAt.getTime(),
    firstUtteranceMs: record.firstUtteranceMs,
    turns: record.latency ?? [],
    transcript: record.transcript ?? [],
    tools: record.toolLog ?? [],
  };
}
