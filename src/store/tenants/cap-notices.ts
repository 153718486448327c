import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Claims the notice of a cap and window; false when a process has noted this window, or a later one, before. */
export async function isFirstNotice(
  tx: Tx,
  workspaceId: string,
  cap: string,
  window: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into cap_notices (workspace_id, cap, at) values (${workspaceId}, ${cap}, ${window})
    on conflict (workspace_id, cap) do update set at = excluded.at where cap_notices.at < excluded.at
    returning cap`.execute(tx);
  return rows.length > 0;
}
