import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from './database.ts';

/** Which calls of a workspace are meant. */
export type CallScope =
  | { readonly agentId: string }
  | { readonly callIds: readonly string[] }
  | { readonly numbers: readonly string[] };

function inScope(scope: CallScope): RawBuilder<SqlBool> {
  if ('agentId' in scope) return sql<SqlBool>`agent_id = ${scope.agentId}`;
  if ('callIds' in scope) return sql<SqlBool>`id = any(${scope.callIds}::uuid[])`;
  return sql<SqlBool>`to_number = any(${scope.numbers})`;
}

/**
 * Ids of at most `take` calls in scope that nobody was rung for yet: queued ones, and those a dialer has claimed
 * without its journal saying that it dials.
 */
export async function findUndialled(
  tx: Tx,
  workspaceId: string,
  scope: CallScope,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls
    where workspace_id = ${workspaceId} and status in ('registered', 'retry') and ${inScope(scope)}
    union all
    select id from calls
    where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound'
      and dialed_at is null and ${inScope(scope)}
    limit ${take}`.execute(tx);
  return rows.map((row) => row.id);
}

/** Live calls in scope are not tried again after their attempt under way. */
export async function withdrawRetries(db: Db, workspaceId: string, scope: CallScope): Promise<void> {
  await sql`
    update calls set no_retry = true
    where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound' and not no_retry
      and ${inScope(scope)}`.execute(db);
}

/** Which of these ids are calls of the workspace. */
export async function knownCalls(
  db: Db,
  workspaceId: string,
  callIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from calls where workspace_id = ${workspaceId} and id = any(${callIds}::uuid[])`.execute(db);
  return new Set(rows.map((row) => row.id));
}
