import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface IdempotencyClaim {
  workspaceId: string;
  /** Method and route pattern: a key is scoped to one endpoint. */
  route: string;
  key: string;
  bodyHash: string;
}

/**
 * The claim of a request. `claimedAt` is its fencing token: a retry takes an abandoned claim over with a later one,
 * so the row no longer matches a request that outlived its claim.
 */
export interface HeldClaim extends IdempotencyClaim {
  readonly claimedAt: Date;
}

/** A retry has taken the key over: this request's transaction must roll back. */
export class ClaimLost extends Error {
  constructor() {
    super('the idempotency key belongs to a later request');
  }
}

export type ClaimResult =
  | { kind: 'claimed' }
  | { kind: 'running' }
  | { kind: 'other_body' }
  | { kind: 'answered'; status: number; response: unknown };

/**
 * Claims an idempotency key for one request. Overwrites an expired row (older than `keptSince`). Also overwrites an
 * unanswered row older than `abandonedBefore`: its request died before it changed anything, because the answer is
 * written in the transaction of the change.
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
  // The first request failed and released the key between the two statements: the client retries as for a running one.
  if (row === undefined) return { kind: 'running' };
  if (row.body_hash !== claim.bodyHash) return { kind: 'other_body' };
  if (row.status === null) return { kind: 'running' };
  return { kind: 'answered', status: row.status, response: row.response };
}

/**
 * Stores the answer. Runs in the transaction of the change, so that neither is committed without the other. Throws
 * ClaimLost if a retry has taken the key over.
 */
export async function storeIdempotentAnswer(
  db: Db,
  claim: HeldClaim,
  answer: { status: number; response: unknown },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, response: JSON.stringify(answer.response) })
    .where('workspace_id', '=', claim.workspaceId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .where('body_hash', '=', claim.bodyHash)
    .where('created_at', '=', claim.claimedAt)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new ClaimLost();
}

/** Releases an unanswered key, unless a later request has taken it over. */
export async function releaseIdempotencyKey(db: Db, claim: HeldClaim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('workspace_id', '=', claim.workspaceId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .where('body_hash', '=', claim.bodyHash)
    .where('created_at', '=', claim.claimedAt)
    .where('status', 'is', null)
    .execute();
}

/** Deletes at most `take` expired keys, claimed before `before`. Returns how many. */
export async function deleteOldKeys(db: Db, before: Date, take: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < ${before} order by created_at limit ${take}
      for update skip locked))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
