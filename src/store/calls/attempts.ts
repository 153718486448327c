import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CampaignState } from '../schema.ts';

/** One attempt of one call on the node that claimed it. */
export interface AttemptRef {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number;
  readonly nodeId: string;
}

/** An attempt, whichever node holds it. */
export type AttemptKey = Omit<AttemptRef, 'nodeId'>;

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

/**
 * Whether an attempt failed at the carrier or in this service, not at the callee. A carrier that refuses the account or
 * the caller number answers 401, 402, 403 or 407 (RFC 3261 section 21.4); that counts for any sub-status.
 */
export const isFailure = sql<boolean>`coalesce(
  sub_status in ('NOT_ABLE_TO_CALL', 'FAILED', 'MEDIA_TIMEOUT', 'UNKNOWN_AFTER_CRASH', 'PRE_CALL_API_FAILED')
  or sip_code in (401, 402, 403, 407) or sip_code between 500 and 599, false)`;

export interface AttemptRow {
  attempt: number;
  sub_status: string | null;
  status: string;
  claimed_at: Date;
  dialed_at: Date | null;
  ringing_at: Date | null;
  answered_at: Date | null;
  ended_at: Date | null;
  sip_call_id: string | null;
  sip_code: number | null;
  reason: string | null;
  failure_code: string | null;
  sip_messages: string | null;
  duration_ms: number | null;
  cost: number;
  /** A recording of it can be played. */
  is_recorded: boolean;
}

export function listAttempts(db: Db, workspaceId: string, callId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('call_attempts')
    .select([
      'attempt',
      'sub_status',
      'status',
      'claimed_at',
      'dialed_at',
      'ringing_at',
      'answered_at',
      'ended_at',
      'sip_call_id',
      'sip_code',
      'reason',
      'failure_code',
      'sip_messages',
      'duration_ms',
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
          .as('is_recorded'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', callId)
    .orderBy('attempt')
    .execute();
}
