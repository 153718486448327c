import { sql } from 'kysely';
import type { Db } from '../database.ts';

export const TOMBSTONE_KINDS = [
  'erased_number',
  'erased_call',
  'erased_chat',
  'opted_out',
  'opted_in',
  'revoked_key',
  'removed_member',
  'member_role',
] as const;
export type TombstoneKind = (typeof TOMBSTONE_KINDS)[number];

/** A row that the list outside the backups does not hold yet. */
export interface QueuedTombstone {
  readonly seq: number;
  readonly workspaceId: string;
  readonly kind: TombstoneKind;
  readonly subject: string;
  readonly campaignId: string | null;
  readonly role: string | null;
  readonly at: Date | null;
}

const LOCK = 7_203_114_511;

/**
 * Runs `work` with a connection on which this process alone writes the list; false: another process does. The lock
 * belongs to the session, because a transaction must not wait for a disk or an object store.
 */
export function asOnlyWriter(db: Db, work: (db: Db) => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${LOCK}) as taken`.execute(
      connection,
    );
    if (rows[0]?.taken !== true) return false;
    try {
      await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
    return true;
  });
}

/** The next rows to write, in the order of their insertion. */
export async function queuedTombstones(db: Db, take: number): Promise<QueuedTombstone[]> {
  const { rows } = await sql<QueuedTombstone>`
    select seq, workspace_id as "workspaceId", kind, subject, campaign_id as "campaignId", role, at
    from tombstone_queue order by seq limit ${take}`.execute(db);
  return rows;
}

export async function deleteTombstones(db: Db, seqs: readonly number[]): Promise<void> {
  await sql`delete from tombstone_queue where seq = any(${[...seqs]}::bigint[])`.execute(db);
}

/** Whether the list does not hold the numbers of an erasure yet. */
export async function isTombstoneQueued(
  db: Db,
  { workspaceId, requestedAt }: { readonly workspaceId: string; readonly requestedAt: Date },
): Promise<boolean> {
  const { rows } = await sql`select from tombstone_queue
    where workspace_id = ${workspaceId} and kind = 'erased_number' and at = ${requestedAt} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
