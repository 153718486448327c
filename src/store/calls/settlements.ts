import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import { hintDue } from '../scheduler/hints.ts';
import type { CallStatus } from '../schema.ts';

/** What came of a call, in words, and where it comes from. */
export interface StoredResult {
  readonly text: string;
  readonly source: 'goal' | 'label' | 'ending';
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
  if (call.reserved > 0) {
    await sql`update workspaces set locked_credits = locked_credits - ${call.reserved}
      where id = ${workspaceId}`.execute(tx);
  }
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
  const charge = money.charge + transfer;
  if (money.reserved > 0 || charge > 0) {
    // A charge of a past day, settled late, leaves the count of the present day alone.
    const day = sql`${money.at.toISOString().slice(0, 10)}::date`;
    await sql`update workspaces
      set locked_credits = locked_credits - ${money.reserved}, credits = credits - ${charge},
        spent_day = greatest(spent_day, ${day}),
        spent_today = case when spent_day > ${day} then spent_today
                           when spent_day = ${day} then spent_today + ${charge} else ${charge} end
      where id = ${workspaceId}`.execute(tx);
  }
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
}

/** Writes the call's status after its attempt ended. */
export async function moveCall(tx: Tx, workspaceId: string, callId: string, end: CallEndRow): Promise<void> {
  const { rows } = await sql<{ campaignId: string | null }>`
    update calls set status = ${end.status}, sub_status = ${end.subStatus}, cost = cost + ${end.charge},
      reserved = 0, node_id = null, answered_at = ${end.answeredAt}, ended_at = ${end.endedAt},
      duration_ms = ${end.durationMs}, hangup_by = ${end.hangupBy}, next_attempt_at = ${end.retryAt},
      result = ${end.result?.text ?? null}, result_source = ${end.result?.source ?? null},
      retries_used = retries_used + ${end.retryAt === null ? 0 : 1}, updated_at = ${end.endedAt}
    where workspace_id = ${workspaceId} and id = ${callId} returning campaign_id as "campaignId"`.execute(tx);
  if (end.retryAt !== null) await hintDue(tx, workspaceId, end.retryAt, rows[0]?.campaignId);
}
