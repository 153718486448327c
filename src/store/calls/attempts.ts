import type { StoredResult } from '../json/call-record.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CampaignState, CallStatus } from '../schema.ts';
import { hintDue } from '../scheduler/hints.ts';
import { settleHeld } from '../tenants/money.ts';

/** One attempt of one call on the node that claimed it. */
export interface AttemptRef {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number;
  readonly nodeId: string;
  /**
   * When the node claimed it, epoch ms; absent: the attempt is never released. After a release the next claim has the same
   * attempt number and maybe the same node.
   */
  readonly claimedAt?: number;
}

/** An attempt, whichever node holds it. */
export type AttemptKey = Omit<AttemptRef, 'nodeId' | 'claimedAt'>;

/** Locks the node's row against fencing until commit; false if it is already fenced. */
export async function holdNode(tx: Tx, nodeId: string): Promise<boolean> {
  const { rows } = await sql`select from nodes where id = ${nodeId} and fenced_at is null
    for share`.execute(tx);
  return rows.length > 0;
}

/** The campaign's part of the dial gate: for one of its calls, or for a callback requested in one of them. */
export interface CampaignGate {
  /** False: a callback, which is dialled even after the campaign is complete. */
  readonly isOwn: boolean;
  readonly state: CampaignState;
  readonly endAt: Date | null;
  /** The callee is on the campaign's own do-not-call list. */
  readonly doNotCall: boolean;
}

/**
 * Locks the campaign of a call (or of a callback's origin) FOR SHARE until commit. A transaction that stops the
 * campaign waits for the attempts inside the dial gate, and every later attempt sees it stopped. Lock order: campaign,
 * then call. Null for a call without a campaign.
 */
export async function holdCampaignOfCall(tx: Tx, ref: AttemptRef): Promise<CampaignGate | null> {
  const { rows } = await sql<CampaignGate>`
    select c.campaign_id is not null as "isOwn", l.state, l.end_at as "endAt", exists (
             select from campaign_do_not_call d
             where d.workspace_id = l.workspace_id and d.campaign_id = l.id and d.number = c.to_number) as "doNotCall"
    from calls c join campaigns l on l.workspace_id = c.workspace_id and l.id = coalesce(c.campaign_id, c.origin_campaign_id)
    where c.workspace_id = ${ref.workspaceId} and c.id = ${ref.callId}
    for share of l`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Journals that the INVITE was sent. Commits asynchronously: a mark lost in a database crash only makes a pause or
 * termination wait for its timeout.
 */
export async function journalSent(db: Db, ref: AttemptRef, at: Date): Promise<void> {
  await sql`
    with off as materialized (select set_config('synchronous_commit', 'off', true))
    update call_attempts set sent_at = ${at} from off
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
      and sent_at is null`.execute(db);
}

/** Journals that the attempt dials: an INVITE may leave after this commit. */
export async function journalDialing(
  tx: Tx,
  ref: AttemptRef,
  sipCallId: string | null,
  at: Date,
): Promise<void> {
  await sql`update call_attempts set status = 'dialing', dialed_at = ${at}, sip_call_id = ${sipCallId}
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
    tx,
  );
  await sql`update calls set dialed_at = ${at}, updated_at = ${at}
    where workspace_id = ${ref.workspaceId} and id = ${ref.callId}`.execute(tx);
}

/** Journals another INVITE of the attempt: clears `sent_at`, so that a pause or termination waits for this INVITE. */
export async function journalRedialing(tx: Tx, ref: AttemptRef, at: Date): Promise<void> {
  await sql`update call_attempts set sent_at = null
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
    tx,
  );
  await sql`update calls set dialed_at = ${at}, updated_at = ${at}
    where workspace_id = ${ref.workspaceId} and id = ${ref.callId}`.execute(tx);
}

/** The callee's phone has been ringing since `at` (epoch ms). */
export interface Ringing {
  readonly at: number;
  readonly sipCode: number;
}

export async function journalRinging(tx: Tx, ref: AttemptKey, sipCode: number, at: Date): Promise<void> {
  await sql`update call_attempts set status = 'ringing', ringing_at = ${at}, sip_code = ${sipCode}
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
      and status = 'dialing'`.execute(tx);
  await sql`update calls set sub_status = 'RINGING', updated_at = ${at}
    where workspace_id = ${ref.workspaceId} and id = ${ref.callId}`.execute(tx);
}

export async function journalAnswered(tx: Tx, ref: AttemptRef, at: Date): Promise<void> {
  await sql`update call_attempts set status = 'answered', answered_at = ${at}, sip_code = 200
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
      and status in ('dialing', 'ringing')`.execute(tx);
  await sql`update calls set sub_status = 'ACCEPTED', answered_at = ${at}, updated_at = ${at}
    where workspace_id = ${ref.workspaceId} and id = ${ref.callId}`.execute(tx);
}

export interface AttemptRow {
  attempt: number;
  subStatus: string | null;
  status: string;
  claimedAt: Date;
  dialedAt: Date | null;
  ringingAt: Date | null;
  answeredAt: Date | null;
  endedAt: Date | null;
  sipCallId: string | null;
  sipCode: number | null;
  reason: string | null;
  failureCode: string | null;
  sipMessages: string | null;
  durationMs: number | null;
  cost: number;
  /** A recording of it can be played. */
  isRecorded: boolean;
}

export function listAttempts(db: Db, workspaceId: string, callId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('call_attempts')
    .select([
      'attempt',
      'sub_status as subStatus',
      'status',
      'claimed_at as claimedAt',
      'dialed_at as dialedAt',
      'ringing_at as ringingAt',
      'answered_at as answeredAt',
      'ended_at as endedAt',
      'sip_call_id as sipCallId',
      'sip_code as sipCode',
      'reason',
      'failure_code as failureCode',
      'sip_messages as sipMessages',
      'duration_ms as durationMs',
      'cost',
      (e) =>
        e
          .exists(
            e
              .selectFrom('recording_files as f')
              .select('f.attempt')
              .whereRef('f.workspace_id', '=', 'call_attempts.workspace_id')
              .whereRef('f.call_id', '=', 'call_attempts.call_id')
              .whereRef('f.attempt', '=', 'call_attempts.attempt')
              .where('f.state', 'in', ['upload', 'uploaded', 'kept']),
          )
          .$castTo<boolean>()
          .as('isRecorded'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .orderBy('attempt')
    .execute();
}

/** Ends queued calls whose rows the caller has locked. */
export async function endCalls(
  tx: Tx,
  workspaceId: string,
  calls: readonly { readonly id: string; readonly status: CallStatus }[],
  end: { readonly subStatus: string; readonly result: StoredResult; readonly at: Date },
): Promise<void> {
  const ids = calls.map((call) => call.id);
  const statuses = calls.map((call) => call.status);
  await sql`
    update calls c set status = q.status, sub_status = ${end.subStatus}, next_attempt_at = null,
                       result = ${end.result.text}, result_source = ${end.result.source},
                       ended_at = ${end.at}, updated_at = ${end.at}
    from unnest(${ids}::uuid[], ${statuses}::text[]) as q (id, status)
    where c.workspace_id = ${workspaceId} and c.id = q.id`.execute(tx);
}

/**
 * Rolls back the claim of a locked call: deletes the attempt's journal row and money lock, and queues the call again in
 * `status`. Callers go through `domain/calls/attempt/release`.
 */
export async function releaseAttempt(
  tx: Tx,
  call: {
    readonly workspaceId: string;
    readonly id: string;
    readonly attempt: number;
    readonly reserved: number;
    readonly byStranger: boolean;
  },
  again: {
    readonly status: CallStatus;
    readonly subStatus: string;
    readonly dueAt: Date;
    readonly at: Date;
  },
): Promise<void> {
  const { workspaceId, id, attempt } = call;
  await sql`delete from call_attempts
    where workspace_id = ${workspaceId} and call_id = ${id} and attempt = ${attempt}`.execute(tx);
  await sql`delete from ledger where workspace_id = ${workspaceId} and call_id = ${id}
    and attempt = ${attempt} and kind = 'lock'`.execute(tx);
  const { rows } = await sql<{ campaignId: string | null }>`
    update calls set status = ${again.status}, sub_status = ${again.subStatus}, attempt = attempt - 1, reserved = 0,
      node_id = null, dialed_at = null, next_attempt_at = ${again.dueAt}, updated_at = ${again.at}
    where workspace_id = ${workspaceId} and id = ${id} returning campaign_id as "campaignId"`.execute(tx);
  await settleHeld(tx, workspaceId, {
    reserved: call.reserved,
    charge: 0,
    byStranger: call.byStranger,
    at: again.at,
  });
  await hintDue(tx, workspaceId, again.dueAt, rows[0]?.campaignId);
}

export interface AttemptEndRow {
  readonly subStatus: string;
  readonly sipCallId: string | null;
  readonly sipCode: number | null;
  readonly reason: string | null;
  readonly failureCode: string | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date;
  readonly durationMs: number | null;
  readonly cost: number;
  readonly sipMessages: string | null;
}

export async function endAttempt(
  tx: Tx,
  workspaceId: string,
  callId: string,
  attempt: number,
  end: AttemptEndRow,
): Promise<void> {
  await sql`
    update call_attempts set status = 'ended', sub_status = ${end.subStatus},
      sip_call_id = coalesce(${end.sipCallId}::text, sip_call_id), sip_code = ${end.sipCode},
      reason = ${end.reason}, failure_code = ${end.failureCode}, answered_at = ${end.answeredAt}, ended_at = ${end.endedAt},
      duration_ms = ${end.durationMs}, cost = ${end.cost},
      sip_messages = ${end.sipMessages}
    where workspace_id = ${workspaceId} and call_id = ${callId} and attempt = ${attempt}`.execute(tx);
}

/**
 * Settles an attempt's money: unlocks `reserved`, and charges `charge` for the call and `transfer` for the legs of its
 * warm transfers. The ledger's unique key makes it idempotent; false for a repeat.
 */
export async function chargeAttempt(
  tx: Tx,
  workspaceId: string,
  callId: string,
  attempt: number,
  money: {
    readonly reserved: number;
    readonly charge: number;
    readonly transfer?: number;
    readonly byStranger: boolean;
    readonly at: Date;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into ledger (workspace_id, call_id, attempt, kind, amount, at)
    values (${workspaceId}, ${callId}, ${attempt}, 'charge', ${money.charge}, ${money.at})
    on conflict do nothing`.execute(tx);
  if (numAffectedRows !== 1n) return false;
  const { transfer = 0 } = money;
  if (transfer > 0) {
    await sql`insert into ledger (workspace_id, call_id, attempt, kind, amount, at)
      values (${workspaceId}, ${callId}, ${attempt}, 'transfer', ${transfer}, ${money.at})`.execute(tx);
  }
  const { reserved, byStranger, at } = money;
  await settleHeld(tx, workspaceId, { reserved, charge: money.charge + transfer, byStranger, at });
  return true;
}

export interface CallEndRow {
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly charge: number;
  readonly answeredAt: Date | null;
  readonly endedAt: Date;
  readonly durationMs: number | null;
  readonly hangupBy: string | null;
  /** When the retry is due; null: none. */
  readonly retryAt: Date | null;
  /** Null: a retry follows. */
  readonly result: StoredResult | null;
  /** Added to those of the call. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Writes the call's status after its attempt ended. */
export async function moveCall(tx: Tx, workspaceId: string, callId: string, end: CallEndRow): Promise<void> {
  const { rows } = await sql<{ campaignId: string | null }>`
    update calls set status = ${end.status}, sub_status = ${end.subStatus}, cost = cost + ${end.charge},
      reserved = 0, node_id = null, answered_at = ${end.answeredAt}, ended_at = ${end.endedAt},
      duration_ms = ${end.durationMs}, hangup_by = ${end.hangupBy}, next_attempt_at = ${end.retryAt},
      result = ${end.result?.text ?? null}, result_source = ${end.result?.source ?? null},
      retries_used = retries_used + ${end.retryAt === null ? 0 : 1}, updated_at = ${end.endedAt},
      args = args || ${JSON.stringify(end.variables)}::jsonb
    where workspace_id = ${workspaceId} and id = ${callId} returning campaign_id as "campaignId"`.execute(tx);
  if (end.retryAt !== null) await hintDue(tx, workspaceId, end.retryAt, rows[0]?.campaignId);
}
