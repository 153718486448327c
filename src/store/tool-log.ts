import { sql } from 'kysely';
import { storableJson } from '../shared/storable.ts';
import type { Db } from './database.ts';
import type { JsonObject } from './schema.ts';

/** Adds to a call's tool log, whatever else is on record of it. */
export async function appendToolLog(
  db: Db,
  workspaceId: string,
  callId: string,
  entries: readonly JsonObject[],
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
