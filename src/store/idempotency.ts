import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface IdempotencyClaim {
  workspaceId: string;
  /** Method and route pattern: a key is good for one endpoint. */
  route: string;
  key: string;
  bodyHash: string;
}

export type ClaimResult =
  | { kind: 'claimed' }
  | { kind: 'running' }
  | { kind: 'other_body' }
  | { kind: 'answered'; status: number; response: unknown };

/**
 * Takes a key for one request. A row older than `keptSince` is forgotten; an unanswered one older than
 * `abandonedBefore` belongs to a request that died before it changed anything, because answers are written in
 * the transaction of the change.
 */
export async function claimIdempotencyKey(
  db: Db,
  claim: IdempotencyClaim,
  times: { at: Date; keptSince: Date; abandonedBefore: Date },
): Promise<ClaimResult> {
  const inserted = await sql`
    insert into idempotency_keys as k (workspace_id, route, key, body_hash, created_at)
    values (${claim.workspaceId}, ${claim.route}, ${claim.key}, ${claim.bodyHash}, ${times.at})
    on conflict (workspace_id, route, key) do update
      set body_hash = excluded.body_hash, status = null, response = null, created_at = excluded.created_at
      where k.created_at < ${times.keptSince}
         or (k.status is null and k.created_at < ${times.abandonedBefore} and k.body_hash = excluded.body_hash)
    returning key`.execute(db);
  if (inserted.rows.length === 1) return { kind: 'claimed' };
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'status', 'response'])
    .where('workspace_id', '=', claim.workspaceId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .executeTakeFirst();
  // The first request failed and gave the key back in between: the client may simply try again.
  if (row === undefined) return { kind: 'running' };
  if (row.body_hash !== claim.bodyHash) return { kind: 'other_body' };
  if (row.status === null) return { kind: 'running' };
  return { kind: 'answered', status: row.status, response: row.response };
}

/** Keeps the answer; inside the transaction of the change, so that neither exists without the other. */
export async function storeIdempotentAnswer(
  db: Db,
  claim: IdempotencyClaim,
  answer: { status: number; response: unknown },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, response: JSON.stringify(answer.response) })
    .where('workspace_id', '=', claim.workspaceId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .where('body_hash', '=', claim.bodyHash)
    .execute();
}

/** Gives an unanswered key back. */
export async function releaseIdempotencyKey(db: Db, claim: IdempotencyClaim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('workspace_id', '=', claim.workspaceId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .where('body_hash', '=', claim.bodyHash)
    .where('status', 'is', null)
    .execute();
}

/** Deletes keys taken before `before`, at most `take`: nobody can be answered by them any more. Returns how many. */
export async function deleteOldKeys(db: Db, before: Date, take: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < ${before} order by created_at limit ${take}
      for update skip locked))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
