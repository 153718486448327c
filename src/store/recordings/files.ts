import type { ToolLogEntry } from '../../voice/conversation.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

export interface RecordingFileRow {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number;
  readonly path: string;
  readonly state: 'repair' | 'upload' | 'uploaded' | 'delete';
  readonly place: 'disk' | 'store';
  readonly disk: string | null;
  readonly tries: number;
}

/** Inserts the recording of an attempt with its next step (`state`). Idempotent. */
export async function insertRecordingFile(
  tx: Tx,
  file: {
    readonly workspaceId: string;
    readonly callId: string;
    readonly attempt: number;
    readonly path: string;
    readonly disk: string | null;
    readonly state: 'repair' | 'upload' | 'kept';
    /** Absent: the file waits for its repair. */
    readonly bytes?: number;
  },
  at: Date,
): Promise<void> {
  await sql`
    insert into recording_files (workspace_id, call_id, attempt, path, disk, state, bytes, due_at, created_at)
    values (${file.workspaceId}, ${file.callId}, ${file.attempt}, ${file.path}, ${file.disk}, ${file.state},
            ${file.bytes ?? null}, ${at}, ${at})
    on conflict do nothing`.execute(tx);
}

/**
 * Stores a recording that was recovered after a crash, without a transcript. Keeps the record of an earlier attempt's
 * conversation, and does not replace the recording of a later attempt.
 */
export async function saveRecovered(
  tx: Tx,
  workspaceId: string,
  callId: string,
  recording: {
    readonly attempt: number;
    readonly path: string;
    readonly durationMs: number;
    readonly bytes: number;
  },
  at: Date,
): Promise<void> {
  await sql`
    insert into call_records (workspace_id, call_id, attempt, recording_path, recording_ms, recording_bytes,
                              recording_state, updated_at)
    values (${workspaceId}, ${callId}, ${recording.attempt}, ${recording.path}, ${recording.durationMs}, ${recording.bytes}, 'partial',
            ${at})
    on conflict (workspace_id, call_id) do update set
      attempt = coalesce(call_records.attempt, excluded.attempt), recording_path = excluded.recording_path, recording_ms = excluded.recording_ms,
      recording_bytes = excluded.recording_bytes, recording_state = 'partial', updated_at = excluded.updated_at
    where coalesce(substring(call_records.recording_path from '-(\\d+)\\.wav$')::int, 0) <= ${recording.attempt}`.execute(
    tx,
  );
}

export interface KeptRecording {
  readonly path: string;
  readonly state: string | null;
  readonly place: 'disk' | 'store';
}

/** The recording in a call's record, or that of one attempt, with its location. */
export async function findRecording(
  db: Db,
  workspaceId: string,
  callId: string,
  attempt: number | null = null,
): Promise<KeptRecording | null> {
  if (attempt !== null) {
    const { rows } = await sql<KeptRecording>`
      select path, 'stored' as state, place from recording_files
      where workspace_id = ${workspaceId} and call_id = ${callId} and attempt = ${attempt}
        and state in ('upload', 'uploaded', 'kept')`.execute(db);
    return rows[0] ?? null;
  }
  const { rows } = await sql<KeptRecording>`
    select r.recording_path as path, r.recording_state as state, coalesce(f.place, 'disk') as place
    from call_records r
    left join recording_files f on f.workspace_id = r.workspace_id and f.call_id = r.call_id
      and f.path = r.recording_path
    where r.workspace_id = ${workspaceId} and r.call_id = ${callId} and r.recording_path is not null`.execute(
    db,
  );
  return rows[0] ?? null;
}

/**
 * Leases due files of one disk, or of an unknown disk, until `leaseUntil`. A deletion from the object store alone may
 * be leased by any process with access to the store.
 */
export async function takeRecordingFiles(
  db: Db,
  input: {
    readonly disk: string;
    readonly hasStore: boolean;
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
  },
): Promise<RecordingFileRow[]> {
  const { rows } = await sql<RecordingFileRow>`
    with due as (
      select workspace_id, call_id, attempt from recording_files
      where state <> 'kept' and due_at <= ${input.now}
        and (taken_until is null or taken_until <= ${input.now})
        and (state in ('repair', 'delete') or ${input.hasStore} or state = 'uploaded')
        and (disk is null or disk = ${input.disk} or (state = 'delete' and place = 'store' and ${input.hasStore}))
      order by due_at limit ${input.limit} for update skip locked)
    update recording_files f set taken_until = ${input.leaseUntil}, tries = f.tries + 1
    from due d where f.workspace_id = d.workspace_id and f.call_id = d.call_id and f.attempt = d.attempt
    returning f.workspace_id as "workspaceId", f.call_id as "callId", f.attempt, f.path, f.state, f.place,
              f.disk, f.tries`.execute(db);
  return rows;
}

type Key = Pick<RecordingFileRow, 'workspaceId' | 'callId' | 'attempt'>;
const keyed = (key: Key) =>
  sql`workspace_id = ${key.workspaceId} and call_id = ${key.callId} and attempt = ${key.attempt}`;

/** Renews the lease that ends at one of `held`; false if the lease is lost. */
export async function renewRecordingFile(
  db: Db,
  file: Key,
  held: readonly Date[],
  next: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update recording_files set taken_until = ${next}
    where ${keyed(file)} and taken_until = any(${held}::timestamptz[])`.execute(db);
  return numAffectedRows === 1n;
}

/** Moves a leased file to its next state. False if a deletion was requested meanwhile: the file is then due now. */
export async function advanceRecordingFile(
  db: Db,
  file: RecordingFileRow,
  to: {
    readonly state: 'upload' | 'uploaded' | 'kept' | 'delete';
    readonly place: 'disk' | 'store';
    readonly disk: string;
  },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recording_files set state = ${to.state}, place = ${to.place}, disk = ${to.disk}, due_at = ${now},
      taken_until = null, tries = 0, last_error = null
    where ${keyed(file)} and state = ${file.state}`.execute(db);
  if (numAffectedRows === 1n) return true;
  await sql`update recording_files set due_at = ${now}, taken_until = null where ${keyed(file)}`.execute(db);
  return false;
}

/**
 * Journals under `token` that a derived file may be written beside a recording in `place` until `until`. False if the
 * recording has moved or is being deleted: then nothing may be written.
 */
export async function noteAdding(
  db: Db,
  file: Pick<RecordingFileRow, 'workspaceId' | 'callId' | 'path' | 'place'>,
  token: string,
  until: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recording_files set adding = adding || ${JSON.stringify({ [token]: until })}::jsonb
    where workspace_id = ${file.workspaceId} and call_id = ${file.callId} and path = ${file.path}
      and place = ${file.place} and state <> 'delete'`.execute(db);
  return numAffectedRows === 1n;
}

/** Ends the journal entry `token`: the derived file exists and a deletion of the recording finds it. */
export async function noteAdded(
  db: Db,
  file: Pick<RecordingFileRow, 'workspaceId' | 'callId'>,
  token: string,
  now: Date,
): Promise<void> {
  await sql`
    update recording_files set adding = adding - ${token}::text,
      due_at = case when state in ('delete', 'uploaded') then least(due_at, ${now}) else due_at end
    where workspace_id = ${file.workspaceId} and call_id = ${file.callId} and adding ? ${token}`.execute(db);
}

/** True if a derived file may have been written beside this one after `since`; the file is due again when that ends. */
export async function awaitAdding(db: Db, file: Key, since: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recording_files set due_at = (select max(value::timestamptz) from jsonb_each_text(adding)), taken_until = null
    where ${keyed(file)} and exists (
      select from jsonb_each_text(adding) where value::timestamptz > ${since})`.execute(db);
  return numAffectedRows === 1n;
}

/** Deletes the row of a file that is deleted or lost. */
export async function forgetRecordingFile(db: Db, file: RecordingFileRow): Promise<void> {
  await sql`delete from recording_files where ${keyed(file)} and state = ${file.state}`.execute(db);
}

/** Postpones a failed step to `dueAt`. */
export async function postponeRecordingFile(db: Db, file: Key, dueAt: Date, error: string): Promise<void> {
  await sql`update recording_files set due_at = ${dueAt}, taken_until = null, last_error = ${error}
    where ${keyed(file)}`.execute(db);
}

/** The facts that an event reports about a playable recording. */
interface PlayableRecording {
  readonly lengthMs: number | null;
  readonly toolLog: readonly ToolLogEntry[] | null;
  readonly sipCallId: string | null;
}

export async function findPlayable(
  tx: Tx,
  file: Key & { readonly path: string },
): Promise<PlayableRecording | undefined> {
  const { rows } = await sql<PlayableRecording>`
    select r.recording_ms as "lengthMs", r.tool_log as "toolLog", t.sip_call_id as "sipCallId"
    from call_records r
    left join call_attempts t on t.workspace_id = r.workspace_id and t.call_id = r.call_id
      and t.attempt = ${file.attempt}
    where r.workspace_id = ${file.workspaceId} and r.call_id = ${file.callId} and r.recording_path = ${file.path}
      and r.recording_state in ('stored', 'partial')`.execute(tx);
  return rows[0];
}

/** Whether a recording of the call waits for its repair or upload. */
export async function isRecordingDue(tx: Tx, workspaceId: string, callId: string): Promise<boolean> {
  const { rows } = await sql`select from recording_files
    where workspace_id = ${workspaceId} and call_id = ${callId} and state in ('repair', 'upload')`.execute(
    tx,
  );
  return rows.length > 0;
}

/**
 * Requests the deletion of all recordings of these calls and removes them from their records. A recording with a local
 * copy is left to the process with that disk, which also deletes it from the store.
 */
export async function dropRecordings(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    update recording_files set state = 'delete', due_at = ${at}, tries = 0,
      place = case when state = 'uploaded' then 'disk' else place end
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[]) and state <> 'delete'`.execute(
    tx,
  );
  await sql`
    update call_records set recording_path = null, recording_ms = null, recording_bytes = null,
      recording_state = null, updated_at = ${at}
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])
      and recording_path is not null`.execute(tx);
}

/** Counts the pending recording steps by state, for operators. */
export async function countRecordingWork(db: Db): Promise<{ state: string; count: number }[]> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from recording_files where state <> 'kept' group by state`.execute(db);
  return rows;
}
