import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** A recording file with the ids from its name. */
export interface NamedRecording {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number;
  readonly path: string;
}

/**
 * The recordings among these without a row and without a live attempt that writes them; `isOfCall`: the call exists.
 */
export async function findStrays(
  db: Db,
  named: readonly NamedRecording[],
): Promise<(NamedRecording & { readonly isOfCall: boolean })[]> {
  if (named.length === 0) return [];
  const { rows } = await sql<NamedRecording & { isOfCall: boolean }>`
    select n."workspaceId", n."callId", n.attempt, n.path, t.call_id is not null and c.id is not null as "isOfCall"
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
      as n ("workspaceId" uuid, "callId" uuid, attempt int, path text)
    left join call_attempts t
      on t.workspace_id = n."workspaceId" and t.call_id = n."callId" and t.attempt = n.attempt
    left join calls c on c.workspace_id = n."workspaceId" and c.id = n."callId"
    where not exists (select from recording_files f
        where f.workspace_id = n."workspaceId" and f.call_id = n."callId" and f.attempt = n.attempt)
      and (c.id is null or c.status <> 'ongoing' or c.attempt <> n.attempt)`.execute(db);
  return rows;
}

/** Inserts a stray recording on `disk` to be repaired or, if the call was erased, deleted. Locks the call first. */
export function enterStray(db: Db, file: NamedRecording, disk: string, at: Date): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`select from calls where workspace_id = ${file.workspaceId} and id = ${file.callId} for update`.execute(
      tx,
    );
    await sql`
      insert into recording_files (workspace_id, call_id, attempt, path, disk, state, due_at, created_at)
      select ${file.workspaceId}, ${file.callId}, ${file.attempt}, ${file.path}, ${disk},
        case when exists (select from call_records where workspace_id = ${file.workspaceId}
          and call_id = ${file.callId} and erased_at is not null) then 'delete' else 'repair' end, ${at}, ${at}
      on conflict do nothing`.execute(tx);
  });
}
