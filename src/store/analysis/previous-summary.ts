import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** The number of the person in an earlier call. */
const person = sql`case p.call_type when 'inbound' then p.from_number else p.to_number end`;

/**
 * The summary of the last analysed call that the agent of this outbound call had with the same number; null for one on the
 * do-not-call list. Null for an inbound call: the network does not verify the caller's number, so a caller who forges it would
 * hear of the last call of its owner.
 */
export async function findPreviousSummary(
  db: Db,
  workspaceId: string,
  callId: string,
): Promise<string | null> {
  const { rows } = await sql<{ summary: string }>`
    select r.platform_analysis ->> 'summary' as summary
    from calls o
    join calls p on p.workspace_id = o.workspace_id and p.agent_id = o.agent_id and p.id <> o.id
      and p.status = 'completed' and ${person} = o.to_number
    join call_records r on r.workspace_id = p.workspace_id and r.call_id = p.id
    where o.workspace_id = ${workspaceId} and o.id = ${callId} and o.call_type = 'outbound'
      and o.to_number like '+%' and r.platform_analysis ->> 'summary' <> ''
      and not exists (select from do_not_call d where d.workspace_id = o.workspace_id and d.number = o.to_number)
    order by p.created_at desc limit 1`.execute(db);
  return rows[0]?.summary ?? null;
}
