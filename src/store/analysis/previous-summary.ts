import { sql } from 'kysely';
import type { Db } from '../database.ts';

const person = (call: string) =>
  sql`case ${sql.ref(`${call}.call_type`)} when 'inbound' then ${sql.ref(`${call}.from_number`)}
    else ${sql.ref(`${call}.to_number`)} end`;

/**
 * The summary of the last analysed call that the agent of this phone call had with the same number; null for a hidden
 * number, and for one on the do-not-call list.
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
      and p.status = 'completed' and ${person('p')} = ${person('o')}
    join call_records r on r.workspace_id = p.workspace_id and r.call_id = p.id
    where o.workspace_id = ${workspaceId} and o.id = ${callId} and o.call_type in ('outbound', 'inbound')
      and ${person('o')} like '+%' and r.platform_analysis ->> 'summary' <> ''
      and not exists (select from do_not_call d where d.workspace_id = o.workspace_id and d.number = ${person('o')})
    order by p.created_at desc limit 1`.execute(db);
  return rows[0]?.summary ?? null;
}
