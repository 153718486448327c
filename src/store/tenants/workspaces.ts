import type { Db } from '../database.ts';
import type { JsonObject } from '../schema.ts';
import { settingsOf, unlimitedOf } from '../terms.ts';

export interface WorkspaceRow {
  id: string;
  parentId: string | null;
  name: string;
  credits: number;
  lockedCredits: number;
  unlimited: boolean;
  /** Null: a child that shares what its parent has left. */
  callLimit: number | null;
  settings: JsonObject;
  createdAt: Date;
}
const COLUMNS = [
  'workspaces.id',
  'workspaces.parent_id as parentId',
  'workspaces.name',
  'workspaces.credits',
  'workspaces.locked_credits as lockedCredits',
  unlimitedOf('workspaces').as('unlimited'),
  'workspaces.call_limit as callLimit',
  settingsOf('workspaces').as('settings'),
  'workspaces.created_at as createdAt',
] as const;

export function findWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRow | undefined> {
  return db.selectFrom('workspaces').select(COLUMNS).where('id', '=', workspaceId).executeTakeFirst();
}

/**
 * The workspaces that a key reaches: its own, the children of that one, and every workspace that an owner of the key's
 * workspace is a member of. `role` is the strongest role found.
 */
export async function listReachableWorkspaces(
  db: Db,
  workspaceId: string,
): Promise<(WorkspaceRow & { role: string })[]> {
  const rows = await db
    .selectFrom('workspaces')
    .leftJoin(
      (q) =>
        q
          .selectFrom('memberships as mine')
          .innerJoin('memberships as own', 'own.user_id', 'mine.user_id')
          .select(['mine.workspace_id', 'mine.role'])
          .where('own.workspace_id', '=', workspaceId)
          .where('own.role', '=', 'owner')
          .as('member'),
      (join) => join.onRef('member.workspace_id', '=', 'workspaces.id'),
    )
    .select([...COLUMNS, 'member.role'])
    .where((e) =>
      e.or([
        e('workspaces.id', '=', workspaceId),
        e('workspaces.parent_id', '=', workspaceId),
        e('member.role', 'is not', null),
      ]),
    )
    .where('workspaces.archived_at', 'is', null)
    .orderBy('workspaces.created_at')
    .orderBy('workspaces.id')
    .execute();
  const strength = ['viewer', 'manager', 'owner'];
  const best = new Map<string, WorkspaceRow & { role: string }>();
  for (const row of rows) {
    const role = row.role ?? 'owner';
    const known = best.get(row.id);
    if (known === undefined || strength.indexOf(role) > strength.indexOf(known.role))
      best.set(row.id, { ...row, role });
  }
  return [...best.values()];
}

/** The ids of the workspaces with this name; names are not unique. */
export async function findWorkspacesByName(db: Db, name: string): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('name', '=', name)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
