import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** Calls of the workspace that are in progress, and that a callee may hear: claimed ones that are not dialled do not count. */
export async function countLiveCalls(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select count(*)::int as live from calls
    where workspace_id = ${workspaceId} and status = 'ongoing'
      and (call_type <> 'outbound' or dialed_at is not null)`.execute(tx);
  return rows[0]?.live ?? 0;
}

/**
 * Archives a locked child: its key, invitations, tokens of pages and the sessions of people who belong to no other workspace
 * end, and it shares its parent's concurrency again.
 */
export async function closeWorkspace(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await sql`update workspaces set archived_at = ${at}, updated_at = ${at}, call_limit = null
    where id = ${workspaceId}`.execute(tx);
  for (const table of ['api_keys', 'invitations', 'web_call_tokens', 'web_chats']) {
    await sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(tx);
  }
  // The chat keeper closes a chat whose time is over.
  await sql`update chats set ends_at = ${at}, due_at = null
    where workspace_id = ${workspaceId} and state <> 'closed'`.execute(tx);
  await sql`delete from sessions s using memberships m
    where m.workspace_id = ${workspaceId} and m.user_id = s.user_id and not exists (
      select from memberships o join workspaces w on w.id = o.workspace_id
      where o.user_id = s.user_id and w.archived_at is null)`.execute(tx);
}

export async function reopenWorkspace(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await sql`update workspaces set archived_at = null, updated_at = ${at} where id = ${workspaceId}`.execute(
    tx,
  );
}

/** The campaigns that run, and the agents with individual calls that wait. */
export async function openWork(
  db: Db,
  workspaceId: string,
): Promise<{ campaigns: readonly string[]; agents: readonly string[] }> {
  const { rows } = await sql<{ campaigns: string[]; agents: string[] }>`
    select array(select id from campaigns
        where workspace_id = ${workspaceId} and state in ('scheduled', 'ongoing', 'paused', 'insufficient_balance')
        order by id) as campaigns,
      array(select distinct agent_id from calls
        where workspace_id = ${workspaceId} and campaign_id is null and status in ('registered', 'retry', 'ongoing')
          and agent_id is not null) as agents`.execute(db);
  return rows[0] ?? { campaigns: [], agents: [] };
}

/** Numbers that a workspace gives back, without the agents and pools that use them; those that the parent has stay. */
export async function returnNumbers(tx: Tx, from: string, to: string, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update numbers n set workspace_id = ${to}, number_pool_id = null, inbound_agent_id = null, updated_at = ${at}
    where n.workspace_id = ${from}
      and not exists (select from numbers o where o.workspace_id = ${to} and o.number = n.number)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
