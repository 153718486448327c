import type { Clock } from '../../shared/clock.ts';
import { lockRecordToFinish, saveAnalyses, type RecordToFinish } from '../../store/analyses.ts';
import { lockCall, type CallFacts } from '../../store/call-facts.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { TurnLatency } from '../../voice/turn/types.ts';
import { conversationKeys, processingKeys } from '../webhooks/completed.ts';
import type { CallEventType } from '../webhooks/envelope.ts';
import { appendEvent } from '../webhooks/events.ts';

export interface FinishDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The link under which a call's recording can be fetched. */
  readonly recordingUrl: (workspaceId: string, callId: string) => string;
}

export interface Analyses {
  readonly platform: JsonObject;
  readonly client: JsonObject | null;
  /** False: every try failed, and that is all the analysis says. */
  readonly isMade: boolean;
}

/**
 * Stores a call's analyses and tells of them and of the end of all processing, in one transaction: whatever is repeated
 * after it changes nothing. Null analyses are those of a call that has none. A conversation erased meanwhile stays so.
 */
export async function finishAnalysis(
  deps: FinishDeps,
  workspaceId: string,
  callId: string,
  analyses: Analyses | null,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const call = await lockCall(tx, workspaceId, callId);
    if (call === null) return;
    const record = await lockRecordToFinish(tx, workspaceId, callId);
    if (record?.isFinished === true) return;
    const at = new Date(deps.clock.now());
    const kept = record?.transcript == null ? null : analyses;
    if (kept !== null) await saveAnalyses(tx, workspaceId, callId, kept, at);
    await tell(tx, deps, call, { record: record ?? null, analyses: kept, at });
  });
}

async function tell(
  tx: Tx,
  deps: FinishDeps,
  call: CallFacts,
  end: { readonly record: RecordToFinish | null; readonly analyses: Analyses | null; readonly at: Date },
): Promise<void> {
  const { record, analyses, at } = end;
  const toolLog = record?.toolLog ?? [];
  const append = (type: CallEventType, more: JsonObject): Promise<boolean> =>
    appendEvent(tx, call, { type, attempt: null, at, toolLog, more });
  if (analyses?.isMade === true) {
    await append('platform_analysis_completed', { analysis_data: analyses.platform });
    if (analyses.client !== null)
      await append('client_analysis_completed', { analysis_data: analyses.client });
  }
  const hasRecording = record?.recordingState === 'stored' || record?.recordingState === 'partial';
  const conversation = conversationKeys({
    calledOn: call.dialedAt ?? call.createdAt,
    durationMs: record?.durationMs ?? 0,
    transcript: (record?.transcript ?? []) as unknown as readonly {
      role: 'agent' | 'caller';
      text: string;
    }[],
    latencies: (record?.latency ?? []) as unknown as readonly TurnLatency[],
    firstUtteranceMs: record?.firstUtteranceMs ?? null,
    hangupBy: record?.hangupBy ?? null,
  });
  const processed = processingKeys({
    recordingUrl: hasRecording ? deps.recordingUrl(call.workspaceId, call.id) : null,
    recordingMs: hasRecording ? (record?.recordingMs ?? null) : null,
    platformAnalysis: analyses?.platform ?? null,
    clientAnalysis: analyses?.client ?? null,
  });
  await append('all_processing_completed', { ...conversation, ...processed });
}
