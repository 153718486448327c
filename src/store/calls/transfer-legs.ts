import { sql } from 'kysely';
import type { AttemptKey, AttemptRef } from './attempts.ts';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';
import { noteUse } from '../numbers/trunks.ts';
import { settleHeld } from '../tenants/money.ts';
import { settingsOf } from '../terms.ts';

/** The facts about a live call that decide whether its transfer leg may be dialled. */
export interface TransferringCall {
  /** The workspace's number: the caller number of an outbound call, the dialled number of an inbound one. */
  readonly ourNumber: string;
  readonly displayName: string | null;
  readonly settings: JsonObject;
  /** URI of the trunk that carries the transfer; null: the built-in test carrier. */
  readonly trunkUri: string | null;
}

/** Null if the attempt is no longer live on this node. */
export async function transferringCall(
  tx: Tx,
  ref: AttemptRef,
  trunkId: string,
): Promise<TransferringCall | null> {
  const { rows } = await sql<TransferringCall>`
    select case when c.call_type = 'inbound' then c.to_number else c.from_number end as "ourNumber",
           nullif(n.display_name, '') as "displayName", ${settingsOf('w')} as settings,
           (select t.settings ->> 'uri' from trunks t where t.id = ${trunkId}) as "trunkUri"
    from calls c
    join workspaces w on w.id = c.workspace_id
    left join numbers n on n.workspace_id = c.workspace_id and n.id = c.number_id
    where c.workspace_id = ${ref.workspaceId} and c.id = ${ref.callId} and c.status = 'ongoing'
      and c.attempt = ${ref.attempt} and c.node_id = ${ref.nodeId}`.execute(tx);
  return rows[0] ?? null;
}

/** Whether one of the numbers is on the do-not-call list of the workspace or of the call's campaign. */
export async function isTransferListed(
  tx: Tx,
  ref: AttemptRef,
  numbers: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from calls c where c.workspace_id = ${ref.workspaceId} and c.id = ${ref.callId}
      and (exists (select from do_not_call d
                   where d.workspace_id = c.workspace_id and d.number = any(${numbers}::text[]))
        or exists (select from campaign_do_not_call d where d.workspace_id = c.workspace_id
                   and d.campaign_id = coalesce(c.campaign_id, c.origin_campaign_id)
                   and d.number = any(${numbers}::text[])))`.execute(tx);
  return rows.length > 0;
}

/** A workspace's settings, the URIs of its trunks, and one of its numbers for each prefix of four characters. */
export async function readTransferRules(
  tx: Tx,
  workspaceId: string,
): Promise<{ settings: JsonObject; trunkUris: string[]; numbers: string[] }> {
  const { rows } = await sql<{ settings: JsonObject; trunkUris: string[]; numbers: string[] }>`
    select ${settingsOf('w')} as settings,
           array(select distinct t.settings ->> 'uri' from numbers n join trunks t on t.id = n.trunk_id
                 where n.workspace_id = w.id and t.settings ->> 'uri' is not null) as "trunkUris",
           array(select min(number) from numbers where workspace_id = w.id group by left(number, 4)) as numbers
    from workspaces w where w.id = ${workspaceId}`.execute(tx);
  return rows[0] ?? { settings: {}, trunkUris: [], numbers: [] };
}

/** A leg of a transfer. Its `reserved` micro-credits are part of the call's. */
export interface TransferLeg {
  readonly leg: number;
  readonly reserved: number;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  /** A cold transfer: answered and ended from its REFER on. */
  readonly byRefer: boolean;
}

const LEG = sql`leg, reserved, answered_at as "answeredAt", ended_at as "endedAt", by_refer as "byRefer"`;

/**
 * Journals the second leg of a warm transfer and adds its reserve to the call: it may be dialled and counts as a channel
 * after this commit. Returns its number in the attempt. The caller has locked call, workspace and trunk, and has entered the
 * reserve in the workspace.
 */
export async function journalTransferLeg(
  tx: Tx,
  ref: AttemptRef,
  start: {
    readonly trunkId: string;
    readonly reserved: number;
    readonly pace: { readonly tokens: number; readonly at: Date } | null;
    readonly at: Date;
  },
): Promise<number> {
  const { trunkId, reserved, at } = start;
  await sql`delete from transfer_legs l where trunk_id = ${trunkId} and not exists (
    select from calls c where c.workspace_id = l.workspace_id and c.id = l.call_id and c.status = 'ongoing'
      and c.attempt = l.attempt)`.execute(tx);
  const leg = await insertLeg(tx, ref, { trunkId, reserved, at, byRefer: false });
  await noteUse(tx, [{ id: trunkId, calls: 1, pace: start.pace }]);
  return leg;
}

/** Journals a cold transfer, whose REFER may leave after this commit; returns its number in the attempt. */
export const journalRefer = (
  tx: Tx,
  ref: AttemptRef,
  refer: { readonly trunkId: string; readonly reserved: number; readonly at: Date },
): Promise<number> => insertLeg(tx, ref, { ...refer, byRefer: true });

async function insertLeg(
  tx: Tx,
  ref: AttemptRef,
  start: {
    readonly trunkId: string;
    readonly reserved: number;
    readonly at: Date;
    readonly byRefer: boolean;
  },
): Promise<number> {
  const { trunkId, reserved, at, byRefer } = start;
  const done = byRefer ? at : null;
  const { rows } = await sql<{ leg: number }>`
    insert into transfer_legs (workspace_id, call_id, attempt, leg, trunk_id, reserved, started_at, answered_at, ended_at,
      by_refer)
    select ${ref.workspaceId}, ${ref.callId}, ${ref.attempt}, coalesce(max(leg), 0) + 1, ${trunkId}, ${reserved}, ${at},
      ${done}, ${done}, ${byRefer}
    from transfer_legs
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
    returning leg`.execute(tx);
  await addReserved(tx, ref, reserved);
  return rows[0]?.leg ?? 1;
}

/** Journals the answer of a leg; without effect once the leg has ended. */
export async function answerTransferLeg(db: Db, ref: AttemptKey, leg: number, at: Date): Promise<void> {
  await sql`update transfer_legs set answered_at = ${at}
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
      and leg = ${leg} and ended_at is null and answered_at is null`.execute(db);
}

/** Reads the legs of an attempt whose call is locked. */
export async function transferLegs(tx: Tx, ref: AttemptKey): Promise<TransferLeg[]> {
  const { rows } = await sql<TransferLeg>`select ${LEG} from transfer_legs
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
    order by leg`.execute(tx);
  return rows;
}

/** Ends a leg of a locked call: frees its channel, and what it reserved above `kept`. */
export async function endTransferLeg(
  tx: Tx,
  ref: AttemptKey & { readonly byStranger: boolean },
  leg: TransferLeg & { readonly kept: number },
  at: Date,
): Promise<void> {
  await sql`update transfer_legs set answered_at = ${leg.answeredAt}, ended_at = ${leg.endedAt}, reserved = ${leg.kept}
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
      and leg = ${leg.leg}`.execute(tx);
  const freed = leg.reserved - leg.kept;
  await addReserved(tx, ref, -freed);
  const { byStranger } = ref;
  await settleHeld(tx, ref.workspaceId, { reserved: freed, charge: 0, byStranger, at });
}

/** Deletes the legs of an attempt that is settled. */
export async function dropTransferLegs(tx: Tx, ref: AttemptKey): Promise<void> {
  await sql`delete from transfer_legs
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
    tx,
  );
}

/** Adds to the reserve of a locked call. */
async function addReserved(tx: Tx, ref: AttemptKey, amount: number): Promise<void> {
  if (amount === 0) return;
  await sql`update calls set reserved = reserved + ${amount}
    where workspace_id = ${ref.workspaceId} and id = ${ref.callId}`.execute(tx);
}
