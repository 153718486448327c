import type { Db } from '../database.ts';
import { unlimitedOf } from '../terms.ts';
import { callLevelDocument, type CallLevelConfig } from '../json/call-config.ts';

export interface NewCall {
  id: string;
  agentId: string;
  versionId: string;
  numberId: string;
  fromNumber: string;
  toNumber: string;
  calleeName: string;
  args: Record<string, string>;
  callConfig: CallLevelConfig | null;
  callback: object | null;
  voiceId: string | null;
  category: string | null;
  parentCallId: string | null;
  /** For a callback: the campaign of the call that requested it. */
  originCampaignId?: string | null;
  subStatus: 'QUEUED' | 'WINDOW_CLOSED';
  nextAttemptAt: Date;
}

export interface Balance {
  credits: number;
  lockedCredits: number;
  unlimited: boolean;
}

/** The workspace's balance in micro-credits. */
export function readBalance(db: Db, workspaceId: string): Promise<Balance | undefined> {
  return db
    .selectFrom('workspaces')
    .select(['credits', 'locked_credits as lockedCredits', unlimitedOf('workspaces').as('unlimited')])
    .where('id', '=', workspaceId)
    .executeTakeFirst();
}

/** Queues an outbound call. The transaction must end with `hintDue`. */
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
      call_config: call.callConfig === null ? null : callLevelDocument.text(call.callConfig),
      callback: call.callback === null ? null : JSON.stringify(call.callback),
      voice_id: call.voiceId,
      category: call.category,
      parent_call_id: call.parentCallId,
      origin_campaign_id: call.originCampaignId ?? null,
      status: 'registered',
      sub_status: call.subStatus,
      next_attempt_at: call.nextAttemptAt,
      created_at: at,
      updated_at: at,
    })
    .execute();
}
