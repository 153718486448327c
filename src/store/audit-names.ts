import { sql, type RawBuilder } from 'kysely';
import type { Db } from './database.ts';

/** Ids and names of a kind of object, bound to a workspace. */
const NAMED = {
  agent: (workspaceId) =>
    sql`select id, display_name as name from agents where workspace_id = ${workspaceId}`,
  testCase: (workspaceId) => sql`select id, name from agent_test_cases where workspace_id = ${workspaceId}`,
  campaign: (workspaceId) => sql`select id, name from campaigns where workspace_id = ${workspaceId}`,
  knowledgeBase: (workspaceId) =>
    sql`select id, name from knowledge_bases where workspace_id = ${workspaceId}`,
  numberPool: (workspaceId) => sql`select id, name from number_pools where workspace_id = ${workspaceId}`,
  number: (workspaceId) => sql`select id, number as name from numbers where workspace_id = ${workspaceId}`,
  whatsappNumber: (workspaceId) =>
    sql`select id, coalesce(nullif(display_name, ''), number) as name from whatsapp_numbers
        where workspace_id = ${workspaceId}`,
  workspace: (workspaceId) =>
    sql`select id, name from workspaces where (id = ${workspaceId} or parent_id = ${workspaceId})`,
  key: (workspaceId) => sql`select id, name from api_keys where workspace_id = ${workspaceId}`,
  member: (workspaceId) =>
    sql`select users.id, users.email as name from memberships join users on users.id = memberships.user_id
        where memberships.workspace_id = ${workspaceId}`,
  invitation: (workspaceId) =>
    sql`select id, email as name from invitations where workspace_id = ${workspaceId}`,
  call: (workspaceId) =>
    sql`select id, coalesce(nullif(callee_name, ''), to_number) as name from calls
        where workspace_id = ${workspaceId}`,
  chat: (workspaceId) =>
    sql`select id, coalesce(nullif(customer_name, ''), customer_number) as name from chats
        where workspace_id = ${workspaceId}`,
} satisfies Record<string, (workspaceId: string) => RawBuilder<unknown>>;
export type NamedKind = keyof typeof NAMED;

/** The present names of those of `ids` that are of one of the kinds and belong to the workspace. */
export async function namesOfObjects(
  db: Db,
  workspaceId: string,
  kinds: readonly NamedKind[],
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (kinds.length === 0 || ids.length === 0) return new Map();
  const sets = kinds.map(
    (kind) => sql`select id, name from (${NAMED[kind](workspaceId)}) as named where id = any(${ids}::uuid[])`,
  );
  const { rows } = await sql<{
    id: string;
    name: string | null;
  }>`${sql.join(sets, sql` union all `)}`.execute(db);
  return new Map(rows.flatMap(({ id, name }) => (name === null || name === '' ? [] : [[id, name] as const])));
}
