import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import type { CallStatus, JsonObject } from './schema.ts';

/** An ended call as an analysis reads it. */
export interface CallToAnalyse {
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly hangupBy: string | null;
  readonly endedAt: Date | null;
  readonly callConfig: JsonObject | null;
  readonly versionConfig: JsonObject;
  readonly agentName: string;
  readonly labels: readonly string[];
  /** Null: nobody talked, or the conversation was erased. */
  readonly transcript: readonly JsonObject[] | null;
  readonly toolLog: readonly JsonObject[] | null;
  /** The end of all processing was told of. */
  readonly isFinished: boolean;
}

export async function findCallToAnalyse(
  db: Db,
  workspaceId: string,
  callId: string,
): Promise<CallToAnalyse | undefined> {
  const { rows } = await sql<CallToAnalyse>`
    select c.status, c.sub_status as "subStatus", c.hangup_by as "hangupBy", c.ended_at as "endedAt",
           coalesce(c.call_config, l.call_config) as "callConfig", v.config as "versionConfig",
           a.display_name as "agentName", a.classification_labels as labels,
           r.transcript, r.tool_log as "toolLog",
           exists (select 1 from events e where e.workspace_id = c.workspace_id and e.call_id = c.id
                   and e.dedup = 'all_processing_completed') as "isFinished"
    from calls c
    join agents a on a.workspace_id = c.workspace_id and a.id = c.agent_id
    join agent_versions v on v.workspace_id = c.workspace_id and v.id = c.version_id
    left join campaigns l on l.workspace_id = c.workspace_id and l.id = c.lane_id
    left join call_records r on r.workspace_id = c.workspace_id and r.call_id = c.id
    where c.workspace_id = ${workspaceId} and c.id = ${callId}`.execute(db);
  return rows[0];
}

/** What a conversation left behind, locked against being erased meanwhile. */
export interface RecordToFinish {
  readonly transcript: readonly JsonObject[] | null;
  readonly latency: readonly JsonObject[] | null;
  readonly toolLog: readonly JsonObject[] | null;
  readonly firstUtteranceMs: number | null;
  readonly recordingMs: number | null;
  readonly recordingState: string | null;
  readonly hangupBy: string | null;
  readonly durationMs: number | null;
  readonly isFinished: boolean;
}

export async function lockRecordToFinish(
  tx: Tx,
  workspaceId: string,
  callId: string,
): Promise<RecordToFinish | undefined> {
  const { rows } = await sql<RecordToFinish>`
    select r.transcript, r.latency, r.tool_log as "toolLog", r.first_utterance_ms as "firstUtteranceMs",
           r.recording_ms as "recordingMs", r.recording_state as "recordingState",
           c.hangup_by as "hangupBy", c.duration_ms as "durationMs",
           exists (select 1 from events e where e.workspace_id = r.workspace_id and e.call_id = r.call_id
                   and e.dedup = 'all_processing_completed') as "isFinished"
    from call_records r
    join calls c on c.workspace_id = r.workspace_id and c.id = r.call_id
    where r.workspace_id = ${workspaceId} and r.call_id = ${callId}
    for update of r`.execute(tx);
  return rows[0];
}

export async function saveAnalyses(
  tx: Tx,
  workspaceId: string,
  callId: string,
  analyses: { readonly platform: JsonObject; readonly client: JsonObject | null },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('call_records')
    .set({
      platform_analysis: JSON.stringify(analyses.platform),
      client_analysis: analyses.client === null ? null : JSON.stringify(analyses.client),
      updated_at: at,
    })
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .execute();
}
