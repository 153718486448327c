import type { AnsweredBy, TranscriptLine } from '@callwright/turns';
import type { AgentShare, Evaluation, StoredFeedback, StoredLatency } from '../json/call-record.ts';
import type { CallFault, RecordingPause, ToolLogEntry } from '../../voice/conversation.ts';
import type { VendorUse } from '../../voice/measures.ts';
import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';

export interface CallRecord {
  /** The attempt of the conversation. */
  readonly attempt: number;
  /** The conversation was interrupted by a crash; the record holds what was journalled. */
  readonly isPartial: boolean;
  readonly transcript: readonly object[];
  readonly latency: readonly object[];
  /** What went wrong at vendors during the call. */
  readonly faults: readonly object[];
  /** What the call used of each model. */
  readonly usage: readonly object[];
  /** The agents that had the conversation; null: one agent alone. */
  readonly agents: readonly AgentShare[] | null;
  readonly toolLog: readonly object[];
  readonly media: object | null;
  readonly interruptions: number;
  readonly firstUtteranceMs: number | null;
  /** Who answered; null: not decided. */
  readonly answeredBy: object | null;
  readonly recording: {
    readonly path: string;
    readonly durationMs: number;
    readonly bytes: number;
    readonly state: 'stored' | 'partial' | 'failed';
  } | null;
  /** Stretches of the recording that were left silent. */
  readonly recordingPauses: readonly object[];
  /** The compressed event log; null: none. */
  readonly eventLog: Buffer | null;
}

/** Stores the record of a conversation; a later attempt's record replaces an earlier one's. */
export async function saveRecord(
  tx: Tx,
  workspaceId: string,
  callId: string,
  record: CallRecord,
  at: Date,
): Promise<void> {
  const values = {
    attempt: record.attempt,
    transcript_partial: record.isPartial,
    transcript: JSON.stringify(record.transcript),
    latency: JSON.stringify(record.latency),
    usage: JSON.stringify(record.usage),
    agents: record.agents === null ? null : JSON.stringify(record.agents),
    vendor_faults: JSON.stringify(record.faults),
    tool_log: JSON.stringify(record.toolLog),
    media: record.media === null ? null : JSON.stringify(record.media),
    interruptions: record.interruptions,
    first_utterance_ms: record.firstUtteranceMs === null ? null : Math.round(record.firstUtteranceMs),
    answered_by: record.answeredBy === null ? null : JSON.stringify(record.answeredBy),
    recording_path: record.recording?.path ?? null,
    recording_ms: record.recording === null ? null : Math.round(record.recording.durationMs),
    recording_bytes: record.recording?.bytes ?? null,
    recording_state: record.recording?.state ?? null,
    recording_pauses: JSON.stringify(record.recordingPauses),
    event_log: record.eventLog,
    updated_at: at,
  };
  await tx
    .insertInto('call_records')
    .values({ workspace_id: workspaceId, call_id: callId, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'call_id']).doUpdateSet(values))
    .execute();
}

/** Appends to a call's tool log; creates the record if there is none. */
export async function appendToolLog(
  db: Db,
  workspaceId: string,
  callId: string,
  entries: readonly ToolLogEntry[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return;
  const log = storableJson(entries);
  await sql`
    insert into call_records (workspace_id, call_id, tool_log, updated_at)
    values (${workspaceId}, ${callId}, ${log}::jsonb, ${at})
    on conflict (workspace_id, call_id) do update
      set tool_log = coalesce(call_records.tool_log, '[]'::jsonb) || excluded.tool_log,
          updated_at = excluded.updated_at`.execute(db);
}

export interface RecordRow {
  attempt: number | null;
  transcript: readonly TranscriptLine[] | null;
  transcriptPartial: boolean;
  latency: readonly StoredLatency[] | null;
  usage: readonly VendorUse[] | null;
  agents: readonly AgentShare[] | null;
  vendorFaults: readonly CallFault[] | null;
  toolLog: readonly ToolLogEntry[] | null;
  media: JsonObject | null;
  erasedAt: Date | null;
  interruptions: number | null;
  firstUtteranceMs: number | null;
  answeredBy: AnsweredBy | null;
  recordingPath: string | null;
  recordingMs: number | null;
  recordingState: string | null;
  recordingPauses: readonly RecordingPause[] | null;
  platformAnalysis: JsonObject | null;
  feedback: StoredFeedback | null;
  clientAnalysis: JsonObject | null;
  evaluations: readonly Evaluation[] | null;
}

export function findRecord(db: Db, workspaceId: string, callId: string): Promise<RecordRow | undefined> {
  return db
    .selectFrom('call_records')
    .select([
      'attempt',
      'transcript',
      'transcript_partial as transcriptPartial',
      'latency',
      'usage',
      'agents',
      'vendor_faults as vendorFaults',
      'tool_log as toolLog',
      'media',
      'erased_at as erasedAt',
      'interruptions',
      'first_utterance_ms as firstUtteranceMs',
      'answered_by as answeredBy',
      'recording_path as recordingPath',
      'recording_ms as recordingMs',
      'recording_state as recordingState',
      'recording_pauses as recordingPauses',
      'platform_analysis as platformAnalysis',
      'feedback',
      'client_analysis as clientAnalysis',
      'evaluations',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .executeTakeFirst();
}

/** The compressed event log of the conversation; null: none is kept. */
export async function findEventLog(db: Db, workspaceId: string, callId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('call_records')
    .select('event_log')
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .executeTakeFirst();
  return row?.event_log ?? null;
}
