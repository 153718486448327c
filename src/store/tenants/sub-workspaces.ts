import { sql } from 'kysely';
import { newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';
import { unlimitedOf } from '../terms.ts';

export interface FamilyMember {
  id: string;
  parentId: string | null;
  name: string;
  credits: number;
  lockedCredits: number;
  /** Also through its parent. */
  unlimited: boolean;
  /** Null: shares what the parent has left. */
  callLimit: number | null;
  /** Its own alone. */
  settings: JsonObject;
  createdAt: Date;
  /** Null: it works. */
  archivedAt: Date | null;
}
const MEMBER = sql`id, parent_id as "parentId", name, credits, locked_credits as "lockedCredits",
  ${unlimitedOf('w')} as unlimited, call_limit as "callLimit", settings, created_at as "createdAt", archived_at as "archivedAt"`;

export interface ChildRow extends FamilyMember {
  hasKey: boolean;
  numbers: readonly { id: string; number: string; numberPoolId: string | null }[];
  pools: readonly { id: string; name: string }[];
}

export async function listChildren(db: Db, parentId: string): Promise<ChildRow[]> {
  const { rows } = await sql<ChildRow>`
    select ${MEMBER}, exists (select from api_keys k where k.workspace_id = w.id and k.name is null) as "hasKey",
           coalesce((select jsonb_agg(jsonb_build_object('id', n.id, 'number', n.number, 'numberPoolId', n.number_pool_id)
             order by n.number) from numbers n where n.workspace_id = w.id), '[]') as numbers,
           coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name)
             from number_pools p where p.workspace_id = w.id), '[]') as pools
    from workspaces w where parent_id = ${parentId} order by created_at, id`.execute(db);
  return rows;
}

/** A child of any workspace with this name, in any case, and the name of its parent; null: none. */
export async function childNamed(db: Db, name: string): Promise<{ parent: string } | null> {
  const { rows } = await sql<{ parent: string }>`
    select p.name as parent from workspaces c join workspaces p on p.id = c.parent_id
    where lower(trim(c.name)) = lower(trim(${name})) order by p.created_at, p.id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Locks a workspace and its children in id order, which serialises allocations without deadlocks. */
export async function lockFamily(tx: Tx, workspaceId: string): Promise<FamilyMember[]> {
  const { rows } = await sql<FamilyMember>`
    select ${MEMBER} from workspaces w where id = ${workspaceId} or parent_id = ${workspaceId}
    order by id for no key update of w`.execute(tx);
  return rows;
}

/** Creates a child without credits and key, which shares the concurrency and the terms of its parent. */
export async function insertChild(
  tx: Tx,
  child: {
    readonly id: string;
    readonly parentId: string;
    readonly name: string;
  },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('workspaces')
    .values({
      id: child.id,
      parent_id: child.parentId,
      name: child.name,
      // A child is unlimited as far as its parent is, see `terms`.
      unlimited: true,
      call_limit: null,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

export async function setCallLimit(
  tx: Tx,
  workspaceId: string,
  callLimit: number | null,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ call_limit: callLimit, updated_at: at })
    .where('id', '=', workspaceId)
    .execute();
}

/** Moves micro-credits from a parent to its children (negative: back). The caller has locked all rows. */
export async function moveCredits(
  tx: Tx,
  parentId: string,
  moves: readonly { readonly childId: string; readonly amount: number }[],
  at: Date,
): Promise<void> {
  if (moves.length === 0) return;
  const ids = moves.map((move) => move.childId);
  const amounts = moves.map((move) => move.amount);
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  await sql`
    update workspaces w set credits = credits + q.amount, updated_at = ${at}
    from unnest(${ids}::uuid[], ${amounts}::bigint[]) as q (id, amount) where w.id = q.id`.execute(tx);
  await sql`update workspaces set credits = credits - ${sum}, updated_at = ${at}
    where id = ${parentId}`.execute(tx);
  await tx
    .insertInto('credit_transfers')
    .values(
      moves.map((move) => ({
        workspace_id: parentId,
        id: newId(),
        child_id: move.childId,
        amount: move.amount,
        at,
      })),
    )
    .execute();
}
