import type { Mos } from '../../shared/mos.ts';
import type { AnsweredBy, TranscriptLine } from '@callwright/turns';
import { platformDocument, type PlatformAnalysis } from '../json/analysis.ts';
import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import { callLevelDocument, type CallLevelConfig } from '../json/call-config.ts';
import type { StoredLatency } from '../json/call-record.ts';
import type { ToolLogEntry } from '../../voice/conversation.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { levelConfig } from '../../shared/call-config-levels.ts';
import type { CallStatus, JsonObject } from '../schema.ts';

/**
 * The input of an analysis: an ended call with the outcome of the attempt of its conversation, which may not be the
 * last.
 */
export interface CallToAnalyse {
  readonly status: CallStatus;
  /** An inbound caller or a page with the public key began it. */
  readonly byStranger: boolean;
  readonly subStatus: string;
  readonly hangupBy: string | null;
  readonly endedAt: Date | null;
  readonly callConfig: CallLevelConfig | null;
  readonly versionConfig: VersionConfig;
  readonly agentName: string;
  readonly labels: readonly string[];
  /** Null: there was no conversation, or it was erased. */
  readonly transcript: readonly TranscriptLine[] | null;
  readonly toolLog: readonly ToolLogEntry[] | null;
  /** The event `all_processing_completed` exists. */
  readonly isFinished: boolean;
}

type ReadCall = CallToAnalyse & { readonly campaignConfig: CallLevelConfig | null };

export async function findCallToAnalyse(
  db: Db,
  workspaceId: string,
  callId: string,
): Promise<CallToAnalyse | undefined> {
  const { rows } = await sql<Stored<ReadCall, 'versionConfig' | 'callConfig' | 'campaignConfig'>>`
    select c.status, c.by_stranger as "byStranger", coalesce(t.sub_status, c.sub_status) as "subStatus", c.hangup_by as "hangupBy",
           coalesce(t.ended_at, c.ended_at) as "endedAt",
           c.call_config as "callConfig", l.call_config as "campaignConfig", v.config as "versionConfig",
           a.display_name as "agentName", a.classification_labels as labels,
           r.transcript, r.tool_log as "toolLog",
           exists (select 1 from events e where e.workspace_id = c.workspace_id and e.call_id = c.id
                   and e.dedup = 'all_processing_completed') as "isFinished"
    from calls c
    join agents a on a.workspace_id = c.workspace_id and a.id = c.agent_id
    join agent_versions v on v.workspace_id = c.workspace_id and v.id = c.version_id
    left join campaigns l on l.workspace_id = c.workspace_id and l.id = c.campaign_id
    left join call_records r on r.workspace_id = c.workspace_id and r.call_id = c.id
    left join call_attempts t on t.workspace_id = c.workspace_id and t.call_id = c.id and t.attempt = r.attempt
    where c.workspace_id = ${workspaceId} and c.id = ${callId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { campaignConfig, ...call } = row;
  return {
    ...call,
    versionConfig: versionDocument.read(call.versionConfig),
    callConfig: levelConfig(callLevelDocument.read(call.callConfig), callLevelDocument.read(campaignConfig)),
  };
}

/** The calls among these that have a transcript or a recording to process. */
export async function callsToProcess(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
): Promise<{ id: string; isRecordingDue: boolean }[]> {
  const ids = [...callIds];
  const { rows } = await sql<{ id: string; isRecordingDue: boolean }>`
    select id, bool_or(is_due) as "isRecordingDue" from (
      select call_id as id, false as is_due from call_records
      where workspace_id = ${workspaceId} and call_id = any(${ids}::uuid[])
        and (jsonb_array_length(coalesce(transcript, '[]')) > 0 or recording_state in ('stored', 'partial'))
      union all
      select call_id, true from recording_files
      where workspace_id = ${workspaceId} and call_id = any(${ids}::uuid[]) and state in ('repair', 'upload')) f
    group by id`.execute(tx);
  return rows;
}

/** The calls among these with a due analysis job and no event `all_processing_completed`. */
export async function callsToFinish(
  tx: Tx,
  workspaceId: string,
  kind: string,
  callIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.dedup as id from jobs j
    where j.kind = ${kind} and j.dedup = any(${[...callIds]}::text[]) and j.workspace_id = ${workspaceId}
      and j.state = 'due'
      and not exists (select from events e where e.workspace_id = j.workspace_id and e.call_id = j.dedup::uuid
                      and e.dedup = 'all_processing_completed')`.execute(tx);
  return rows.map((row) => row.id);
}

/** The facts of a call's last event. Its record is locked, so that no erasure runs before the event is written. */
export interface CallEnd {
  readonly callId: string;
  /** Of the attempt of the conversation, else of the last one. */
  readonly durationMs: number | null;
  readonly calledOn: Date;
  readonly answeredAt: Date | null;
  readonly hangupBy: string | null;
  readonly status: string;
  readonly subStatus: string;
  readonly hasAttempt: boolean;
  /** Of the last attempt. */
  readonly failureCode: string | null;
  readonly reason: string | null;
  readonly sipCode: number | null;
  readonly transcript: readonly TranscriptLine[] | null;
  readonly latency: readonly StoredLatency[] | null;
  readonly toolLog: readonly ToolLogEntry[] | null;
  readonly firstUtteranceMs: number | null;
  readonly answeredBy: AnsweredBy | null;
  readonly mos: Mos | null;
  readonly recordingMs: number | null;
  readonly recordingState: string | null;
  readonly recordingPath: string | null;
  /** The attempt of the conversation. */
  readonly attempt: number | null;
  readonly isFinished: boolean;
}

export async function lockEnds(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
): Promise<Map<string, CallEnd>> {
  const { rows } = await sql<CallEnd>`
    with record as (
      select * from call_records where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])
      order by call_id for update)
    select c.id as "callId", coalesce(t.duration_ms, c.duration_ms) as "durationMs", c.hangup_by as "hangupBy",
           c.status, c.sub_status as "subStatus", l.attempt is not null as "hasAttempt",
           l.failure_code as "failureCode", l.reason, l.sip_code as "sipCode",
           coalesce(t.dialed_at, c.dialed_at, c.created_at) as "calledOn",
           coalesce(t.answered_at, c.answered_at) as "answeredAt", r.attempt, r.recording_path as "recordingPath",
           r.transcript, r.latency, r.tool_log as "toolLog", r.first_utterance_ms as "firstUtteranceMs",
           r.answered_by as "answeredBy", r.media -> 'mos' as mos,
           r.recording_ms as "recordingMs", r.recording_state as "recordingState",
           exists (select 1 from events e where e.workspace_id = c.workspace_id and e.call_id = c.id
                   and e.dedup = 'all_processing_completed') as "isFinished"
    from calls c
    left join record r on r.call_id = c.id
    left join call_attempts t on t.workspace_id = c.workspace_id and t.call_id = c.id and t.attempt = r.attempt
    left join call_attempts l on l.workspace_id = c.workspace_id and l.call_id = c.id and l.attempt = c.attempt
    where c.workspace_id = ${workspaceId} and c.id = any(${[...callIds]}::uuid[])`.execute(tx);
  return new Map(rows.map((row) => [row.callId, row]));
}

export async function saveAnalyses(
  tx: Tx,
  workspaceId: string,
  callId: string,
  analyses: {
    readonly platform: PlatformAnalysis;
    readonly client: JsonObject | null;
    readonly evaluations: readonly object[] | null;
  },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('call_records')
    .set({
      platform_analysis: platformDocument.text(analyses.platform),
      client_analysis: analyses.client === null ? null : JSON.stringify(analyses.client),
      evaluations: analyses.evaluations === null ? null : JSON.stringify(analyses.evaluations),
      updated_at: at,
    })
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .execute();
}
