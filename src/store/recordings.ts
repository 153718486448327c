import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import type { JsonObject } from './schema.ts';

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

/** Enters the recording of an attempt with what is to be done with it next. */
export async function insertRecordingFile(
  tx: Tx,
  file: {
    readonly workspaceId: string;
    readonly callId: string;
    readonly attempt: number;
    readonly path: string;
    readonly disk: string | null;
    readonly state: 'repair' | 'upload' | 'kept';
  },
  at: Date,
): Promise<void> {
  await sql`
    insert into recording_files (workspace_id, call_id, attempt, path, disk, state, due_at, created_at)
    values (${file.workspaceId}, ${file.callId}, ${file.attempt}, ${file.path}, ${file.disk}, ${file.state},
            ${at}, ${at})
    on conflict do nothing`.execute(tx);
}

/**
 * Writes a recording that outlived its conversation: nothing else is known of what was said. What an earlier attempt
 * left behind stays, and so does the recording of a later one.
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

/** The recording a call's record names, or that of one attempt, and where it is. */
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
 * Takes files with something to be done, of one disk or of an unknown one, until `leaseUntil`. What is deleted from
 * the object store alone may be done by anyone who has it.
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

/** Holds a file that is taken until one of `held` for longer; false when it is no longer. */
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

/**
 * Moves a file on from the state it was taken in. False when it is to be deleted meanwhile: then it is due at once.
 */
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
 * Notes under `token` that something may be put beside a recording in `place` until then. False when it is no longer
 * there to stay: then nothing may be put.
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

/** It is there, and whoever deletes the recording finds it: nobody waits for it any more. */
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

/**
 * True when something may have been put beside the file after `since`: it is then due again once that is over.
 */
export async function awaitAdding(db: Db, file: Key, since: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recording_files set due_at = (select max(value::timestamptz) from jsonb_each_text(adding)), taken_until = null
    where ${keyed(file)} and exists (
      select from jsonb_each_text(adding) where value::timestamptz > ${since})`.execute(db);
  return numAffectedRows === 1n;
}

/** Nothing is left of the file, or of the hope to find it. */
export async function forgetRecordingFile(db: Db, file: RecordingFileRow): Promise<void> {
  await sql`delete from recording_files where ${keyed(file)} and state = ${file.state}`.execute(db);
}

/** Something is in the way: tried again at `dueAt`. */
export async function postponeRecordingFile(db: Db, file: Key, dueAt: Date, error: string): Promise<void> {
  await sql`update recording_files set due_at = ${dueAt}, taken_until = null, last_error = ${error}
    where ${keyed(file)}`.execute(db);
}

/** What is told of a recording that the call's record names and that can be heard; undefined: nothing. */
interface HeardRecording {
  readonly lengthMs: number | null;
  readonly toolLog: readonly JsonObject[] | null;
  readonly sipCallId: string | null;
}

export async function findHeard(
  tx: Tx,
  file: Key & { readonly path: string },
): Promise<HeardRecording | undefined> {
  const { rows } = await sql<HeardRecording>`
    select r.recording_ms as "lengthMs", r.tool_log as "toolLog", t.sip_call_id as "sipCallId"
    from call_records r
    left join call_attempts t on t.workspace_id = r.workspace_id and t.call_id = r.call_id
      and t.attempt = ${file.attempt}
    where r.workspace_id = ${file.workspaceId} and r.call_id = ${file.callId} and r.recording_path = ${file.path}
      and r.recording_state in ('stored', 'partial')`.execute(tx);
  return rows[0];
}

/** Whether a recording of the call is still to be found or stored. */
export async function isRecordingDue(tx: Tx, workspaceId: string, callId: string): Promise<boolean> {
  const { rows } = await sql`select from recording_files
    where workspace_id = ${workspaceId} and call_id = ${callId} and state in ('repair', 'upload')`.execute(
    tx,
  );
  return rows.length > 0;
}

/**
 * Has every recorded attempt of these calls deleted, and says in their records that there is none. One whose local
 * copy is still there is for the process with that disk, wherever else it is.
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

/** How many recordings wait for something, by what it is: for the operator. */
export async function countRecordingWork(db: Db): Promise<{ state: string; count: number }[]> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from recording_files where state <> 'kept' group by state`.execute(db);
  return rows;
}
