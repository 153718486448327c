import { sql } from 'kysely';
import type { AttemptRef } from './attempts.ts';
import type { Db, Tx } from './database.ts';
import type { JsonObject } from './schema.ts';
import { noteUse } from './trunks.ts';

/** A live call as it bears on a second leg of it. */
export interface TransferringCall {
  /** The number of ours that the call is made from, or came in on. */
  readonly ourNumber: string;
  readonly displayName: string | null;
  readonly settings: JsonObject;
  /** The number to be called is on the workspace's do-not-call list, or on that of the call's campaign. */
  readonly doNotCall: boolean;
}

/** Null when this attempt is no longer live on this node. */
export async function transferringCall(
  tx: Tx,
  ref: AttemptRef,
  to: string,
): Promise<TransferringCall | null> {
  const { rows } = await sql<TransferringCall>`
    select case when c.call_type = 'inbound' then c.to_number else c.from_number end as "ourNumber",
           nullif(n.display_name, '') as "displayName", w.settings,
           exists (select from do_not_call d where d.workspace_id = c.workspace_id and d.number = ${to})
             or exists (select from campaign_do_not_call d where d.workspace_id = c.workspace_id
                          and d.campaign_id = coalesce(c.lane_id, c.origin_lane_id) and d.number = ${to}) as "doNotCall"
    from calls c
    join workspaces w on w.id = c.workspace_id
    left join numbers n on n.workspace_id = c.workspace_id and n.id = c.number_id
    where c.workspace_id = ${ref.workspaceId} and c.id = ${ref.callId} and c.status = 'ongoing'
      and c.attempt = ${ref.attempt} and c.node_id = ${ref.nodeId}`.execute(tx);
  return rows[0] ?? null;
}

/** The journal's word that the second leg may be dialled: it takes a channel from now on. The trunk is locked. */
export async function journalTransferLeg(
  tx: Tx,
  ref: AttemptRef,
  trunkId: string,
  pace: { readonly tokens: number; readonly at: Date } | null,
  at: Date,
): Promise<void> {
  await sql`delete from transfer_legs l where trunk_id = ${trunkId} and not exists (
    select from calls c where c.workspace_id = l.workspace_id and c.id = l.call_id and c.status = 'ongoing'
      and c.attempt = l.attempt)`.execute(tx);
  await sql`insert into transfer_legs (workspace_id, call_id, attempt, trunk_id, started_at)
    values (${ref.workspaceId}, ${ref.callId}, ${ref.attempt}, ${trunkId}, ${at})
    on conflict (workspace_id, call_id) do update
    set attempt = excluded.attempt, trunk_id = excluded.trunk_id, started_at = excluded.started_at`.execute(
    tx,
  );
  await noteUse(tx, [{ id: trunkId, calls: 1, pace }]);
}

export async function removeTransferLeg(db: Db, ref: AttemptRef): Promise<void> {
  await sql`delete from transfer_legs
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
    db,
  );
}
