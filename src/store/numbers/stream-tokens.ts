import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Rows that count no more go with each new one, so many at a time that the table stays small. */
const SWEPT = 4;

/** The token of an announced call. */
export interface NewStreamToken {
  readonly tokenHash: Buffer;
  /** Of the trunk and the carrier's id of the call. */
  readonly callHash: Buffer;
  readonly trunkId: string;
  readonly sealedToken: string;
  readonly sealedCall: string;
}

/** Stores the token, unless the call has one that was issued after `old`; returns the sealed token that counts. */
export async function issueStreamToken(
  db: Db,
  { tokenHash, callHash, trunkId, sealedToken, sealedCall }: NewStreamToken,
  { now, old }: { readonly now: Date; readonly old: Date },
): Promise<string> {
  const { rows } = await sql<{ sealedToken: string }>`
    insert into stream_tokens as t (token_hash, call_hash, trunk_id, sealed_token, sealed_call, issued_at)
    values (${tokenHash}, ${callHash}, ${trunkId}, ${sealedToken}, ${sealedCall}, ${now})
    on conflict (call_hash) do update set
      token_hash = case when t.issued_at <= ${old} then excluded.token_hash else t.token_hash end,
      sealed_token = case when t.issued_at <= ${old} then excluded.sealed_token else t.sealed_token end,
      sealed_call = case when t.issued_at <= ${old} then excluded.sealed_call else t.sealed_call end,
      issued_at = case when t.issued_at <= ${old} then excluded.issued_at else t.issued_at end
    returning sealed_token as "sealedToken"`.execute(db);
  await sql`
    delete from stream_tokens where token_hash in (
      select token_hash from stream_tokens where issued_at <= ${old}
      order by issued_at limit ${SWEPT} for update skip locked)`.execute(db);
  return rows[0]?.sealedToken ?? sealedToken;
}

/** The trunk of a token that is unused and was issued at `since` or later; null: there is none. */
export async function streamTokenTrunk(db: Db, tokenHash: Buffer, since: Date): Promise<string | null> {
  const { rows } = await sql<{ trunkId: string }>`
    select trunk_id as "trunkId" from stream_tokens
    where token_hash = ${tokenHash} and sealed_call is not null and issued_at >= ${since}`.execute(db);
  return rows[0]?.trunkId ?? null;
}

/** Uses a token up and returns its sealed call; null: another took it, or it is unknown or expired. */
export async function takeStreamToken(db: Db, tokenHash: Buffer, since: Date): Promise<string | null> {
  const { rows } = await sql<{ sealedCall: string }>`
    with held as (
      select token_hash, sealed_call from stream_tokens
      where token_hash = ${tokenHash} and sealed_call is not null and issued_at >= ${since} for update)
    update stream_tokens t set sealed_call = null from held
    where t.token_hash = held.token_hash returning held.sealed_call as "sealedCall"`.execute(db);
  return rows[0]?.sealedCall ?? null;
}
