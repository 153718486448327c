import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** How long an INVITE counts as taken: a proxy that sends it twice does so within the transaction's 32 s. */
const COUNTS_MS = 60_000;
/** Rows that count no more go with each new one, so many at a time that the table stays small. */
const SWEPT = 4;

/**
 * Takes an inbound call for a process. False: another running process has taken the same INVITE within a minute. `fromTag` is that
 * of the caller.
 */
export async function takeInvite(
  tx: Tx,
  invite: { readonly sipCallId: string; readonly fromTag: string },
  nodeId: string,
  now: Date,
): Promise<boolean> {
  const old = new Date(now.getTime() - COUNTS_MS);
  const hash = createHash('sha256').update(`${invite.sipCallId}\n${invite.fromTag}`).digest();
  const { rows } = await sql`
    insert into taken_invites as t (invite_hash, node_id, taken_at) values (${hash}, ${nodeId}, ${now})
    on conflict (invite_hash) do update set node_id = excluded.node_id, taken_at = excluded.taken_at
    where t.node_id = excluded.node_id or t.taken_at <= ${old}
      or not exists (select from nodes n where n.id = t.node_id and n.fenced_at is null)
    returning 1 as taken`.execute(tx);
  await sql`
    delete from taken_invites where invite_hash in (
      select invite_hash from taken_invites where taken_at <= ${old}
      order by taken_at limit ${SWEPT} for update skip locked)`.execute(tx);
  return rows.length > 0;
}
