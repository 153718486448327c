import { sql } from 'kysely';
import type { Tx } from './database.ts';

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
