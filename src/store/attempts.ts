import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import type { CampaignState } from './schema.ts';

/** One attempt of one call on the node that claimed it. */
export interface AttemptRef {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number;
  readonly nodeId: string;
}

/** Holds the node's row against fencing until commit; false when it is fenced already. */
export async function holdNode(tx: Tx, nodeId: string): Promise<boolean> {
  const { rows } = await sql`select from nodes where id = ${nodeId} and fenced_at is null
    for share`.execute(tx);
  return rows.length > 0;
}

/** What a campaign says about one of its calls, or of the callbacks asked for in them, at the last gate. */
export interface LaneGate {
  /** False: a callback, which goes on when the campaign is complete. */
  readonly isOwn: boolean;
  readonly state: CampaignState;
  readonly endAt: Date | null;
  /** The callee is on the campaign's own do-not-call list. */
  readonly doNotCall: boolean;
}

/**
 * Holds the campaign of a call as it is until commit: whoever stops it waits for the attempts that pass this gate, and
 * every later one sees it stopped. Comes before the call's own lock. Null for a call that no campaign has to do with.
 */
export async function holdLane(tx: Tx, ref: AttemptRef): Promise<LaneGate | null> {
  const { rows } = await sql<LaneGate>`
    select c.lane_id is not null as "isOwn", l.state, l.end_at as "endAt", exists (
             select from campaign_do_not_call d
             where d.workspace_id = l.workspace_id and d.campaign_id = l.id and d.number = c.to_number) as "doNotCall"
    from calls c join campaigns l on l.workspace_id = c.workspace_id and l.id = coalesce(c.lane_id, c.origin_lane_id)
    where c.workspace_id = ${ref.workspaceId} and c.id = ${ref.callId}
    for share of l`.execute(tx);
  return rows[0] ?? null;
}

/** The INVITE has left. A mark that is lost with the server costs whoever waits for it a moment, nothing else. */
export async function journalSent(db: Db, ref: AttemptRef, at: Date): Promise<void> {
  await sql`
    with off as materialized (select set_config('synchronous_commit', 'off', true))
    update call_attempts set sent_at = ${at} from off
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}
      and sent_at is null`.execute(db);
}

/** The journal's word that an INVITE may leave from now on. */
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

/** The journal's word for another INVITE of the attempt: whoever stops calls waits for that one. */
export async function journalRedialing(tx: Tx, ref: AttemptRef, at: Date): Promise<void> {
  await sql`update call_attempts set sent_at = null
    where workspace_id = ${ref.workspaceId} and call_id = ${ref.callId} and attempt = ${ref.attempt}`.execute(
    tx,
  );
  await sql`update calls set dialed_at = ${at}, updated_at = ${at}
    where workspace_id = ${ref.workspaceId} and id = ${ref.callId}`.execute(tx);
}

/** The far side rings since `at` (epoch ms). */
export interface Ringing {
  readonly at: number;
  readonly sipCode: number;
}

export async function journalRinging(tx: Tx, ref: AttemptRef, sipCode: number, at: Date): Promise<void> {
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
