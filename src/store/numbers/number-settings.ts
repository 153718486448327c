import { sql } from 'kysely';
import type { CallPurpose } from '../../shared/call-purposes.ts';
import type { Db, Tx } from '../database.ts';

/** A number of a workspace with the settings that its row keeps. */
export interface NumberSettingsRow {
  readonly id: string;
  readonly number: string;
  /** Name of its trunk; null: it has none. */
  readonly trunk: string | null;
  readonly displayName: string;
  readonly isTestNumber: boolean;
  /** Concurrent calls; null: no limit. */
  readonly callLimit: number | null;
  /** The commercial calls that may come from it; null: any. */
  readonly purpose: CallPurpose | null;
  /** Declared by the provision file that was applied last. */
  readonly isFromFile: boolean;
  readonly updatedAt: Date;
}

/** The numbers of a workspace in the order in which they were added, or the one in this E.164 form. */
export async function listNumberSettings(
  db: Db,
  workspaceId: string,
  number: string | null = null,
): Promise<NumberSettingsRow[]> {
  const { rows } = await sql<NumberSettingsRow>`
    select n.id, n.number, t.name as trunk, n.display_name as "displayName", n.is_test_number as "isTestNumber",
           n.call_limit as "callLimit", n.purpose, n.from_file as "isFromFile", n.updated_at as "updatedAt"
    from numbers n left join trunks t on t.id = n.trunk_id
    where n.workspace_id = ${workspaceId} and (${number}::text is null or n.number = ${number})
    order by n.created_at, n.id`.execute(db);
  return rows;
}

/** The id of the workspace, of a child that of its parent; null: unknown. */
export async function findRootId(db: Db, workspaceId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(parent_id, id) as id from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0]?.id ?? null;
}

export async function deleteNumber(tx: Tx, workspaceId: string, numberId: string): Promise<void> {
  await sql`delete from numbers where workspace_id = ${workspaceId} and id = ${numberId}`.execute(tx);
}

/** Marks these trunks and numbers as declared by the provision file, and all others as not. */
export async function markDeclared(
  tx: Tx,
  declared: { readonly trunkIds: readonly string[]; readonly numberIds: readonly string[] },
): Promise<void> {
  const { trunkIds, numberIds } = declared;
  await sql`update trunks set from_file = not from_file
    where from_file <> (id = any (${trunkIds}::uuid[]))`.execute(tx);
  await sql`update numbers set from_file = not from_file
    where from_file <> (id = any (${numberIds}::uuid[]))`.execute(tx);
}
