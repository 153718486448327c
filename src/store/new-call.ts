import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface NewCall {
  id: string;
  agentId: string;
  versionId: string;
  numberId: string;
  fromNumber: string;
  toNumber: string;
  calleeName: string;
  args: Record<string, string>;
  callConfig: object | null;
  callback: object | null;
  voiceId: string | null;
  category: string | null;
  parentCallId: string | null;
  /** The campaign in whose call a callback was asked for. */
  originLaneId?: string | null;
  subStatus: 'QUEUED' | 'WINDOW_CLOSED';
  nextAttemptAt: Date;
}

export interface Balance {
  credits: number;
  locked_credits: number;
  unlimited: boolean;
}

/** The workspace's money in micro-credits. */
export function readBalance(db: Db, workspaceId: string): Promise<Balance | undefined> {
  return db
    .selectFrom('workspaces')
    .select(['credits', 'locked_credits', 'unlimited'])
    .where('id', '=', workspaceId)
    .executeTakeFirst();
}

/** Queues an outbound call. Runs in a transaction that ends with `hintDue`. */
export async function insertOutboundCall(
  tx: Db,
  workspaceId: string,
  call: NewCall,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('calls')
    .values({
      workspace_id: workspaceId,
      id: call.id,
      agent_id: call.agentId,
      version_id: call.versionId,
      number_id: call.numberId,
      call_type: 'outbound',
      from_number: call.fromNumber,
      to_number: call.toNumber,
      callee_name: call.calleeName,
      args: JSON.stringify(call.args),
      call_config: call.callConfig === null ? null : JSON.stringify(call.callConfig),
      callback: call.callback === null ? null : JSON.stringify(call.callback),
      voice_id: call.voiceId,
      category: call.category,
      parent_call_id: call.parentCallId,
      origin_lane_id: call.originLaneId ?? null,
      status: 'registered',
      sub_status: call.subStatus,
      next_attempt_at: call.nextAttemptAt,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

/**
 * Lowers the scheduling hints of the workspace, and of the campaign the call belongs to, to `due`. Always takes the
 * rows' locks, also when the values stay: a claimer that has not seen the new call would otherwise raise a hint past
 * it.
 */
export async function hintDue(
  tx: Db,
  workspaceId: string,
  due: Date,
  laneId: string | null = null,
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ next_due_at: sql<Date>`least(next_due_at, ${due})` })
    .where('id', '=', workspaceId)
    .execute();
  if (laneId === null) return;
  await tx
    .updateTable('campaigns')
    .set({ next_due_at: sql<Date>`least(next_due_at, ${due})` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', laneId)
    .execute();
}
