import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import { callLevelDocument, type CallLevelConfig } from '../json/call-config.ts';
import type { CallCallback } from '../json/callback.ts';
import { sql } from 'kysely';
import type { AttemptRef } from './attempts.ts';
import type { Tx } from '../database.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { levelConfig } from '../../shared/call-config-levels.ts';
import type { CallStatus, CallType, CampaignState } from '../schema.ts';
import { unlimitedOf } from '../terms.ts';

/** The facts about a call that its events and its settlement need; the row is locked until commit. */
export interface CallFacts {
  readonly workspaceId: string;
  readonly id: string;
  readonly campaignId: string | null;
  /** For a callback: the campaign of the call that requested it. */
  readonly originCampaignId: string | null;
  readonly agentId: string;
  readonly agentName: string;
  readonly versionId: string;
  readonly versionConfig: VersionConfig;
  /** The caller number of the attempt, or the number that was called; null: none of the workspace. */
  readonly numberId: string | null;
  readonly callType: CallType;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly args: Record<string, string>;
  /** The call's settings over its campaign's. */
  readonly callConfig: CallLevelConfig | null;
  /** The state of its campaign or origin campaign. */
  readonly campaignState: CampaignState | null;
  /** The end time of that campaign; its calls must not ring after it. */
  readonly campaignEndAt: Date | null;
  /** The webhook receiver of the call or else of its campaign, in addition to the agent's subscriptions. */
  readonly callback: CallCallback | null;
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly attempt: number;
  readonly retriesUsed: number;
  readonly nodeId: string | null;
  readonly reserved: number;
  /** An inbound caller or a page with the public key began it. */
  readonly byStranger: boolean;
  readonly cost: number;
  readonly createdAt: Date;
  /** When the attempt was claimed; null: there is none. */
  readonly claimedAt: Date | null;
  readonly dialedAt: Date | null;
  readonly answeredAt: Date | null;
  readonly sipCallId: string | null;
  readonly unlimited: boolean;
  /** The call was terminated while it was live: no retry. */
  readonly noRetry: boolean;
}

/** Locks and reads one call; null if the workspace has no such call. */
export async function lockCall(tx: Tx, workspaceId: string, callId: string): Promise<CallFacts | null> {
  const [call] = await lockCalls(tx, workspaceId, [callId]);
  return call ?? null;
}

/**
 * Locks and reads a call whose live attempt on that node is `ref`; null if the attempt was released or settled, even if
 * the call was claimed again since, or belongs to another node.
 */
export async function lockLiveAttempt(tx: Tx, ref: AttemptRef): Promise<CallFacts | null> {
  const call = await lockCall(tx, ref.workspaceId, ref.callId);
  const isLive = call?.status === 'ongoing' && call.attempt === ref.attempt && call.nodeId === ref.nodeId;
  const isSame = ref.claimedAt === undefined || call?.claimedAt?.getTime() === ref.claimedAt;
  return isLive && isSame ? call : null;
}

/** Reads one call without locking it; null if the workspace has no such call. */
export async function readCall(tx: Tx, workspaceId: string, callId: string): Promise<CallFacts | null> {
  const [call] = await readCalls(tx, workspaceId, [callId], false);
  return call ?? null;
}

/** Reads and locks calls of the workspace in the order of their ids, so that two lockers cannot deadlock. */
export const lockCalls = (tx: Tx, workspaceId: string, callIds: readonly string[]): Promise<CallFacts[]> =>
  readCalls(tx, workspaceId, callIds, true);

type ReadFacts = CallFacts & { readonly campaignConfig: CallLevelConfig | null };

async function readCalls(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  isLocking: boolean,
): Promise<CallFacts[]> {
  const { rows } = await sql<Stored<ReadFacts, 'versionConfig' | 'callConfig' | 'campaignConfig'>>`
    select c.workspace_id as "workspaceId", c.id, c.campaign_id as "campaignId",
           c.origin_campaign_id as "originCampaignId", c.agent_id as "agentId",
           a.display_name as "agentName", c.version_id as "versionId", v.config as "versionConfig",
           c.number_id as "numberId",
           c.call_type as "callType", c.from_number as "fromNumber", c.to_number as "toNumber", c.args,
           c.call_config as "callConfig", l.call_config as "campaignConfig", l.state as "campaignState", l.end_at as "campaignEndAt",
           coalesce(c.callback, case when c.campaign_id is not null then l.callback end) as callback, c.status, c.sub_status as "subStatus", c.attempt,
           c.retries_used as "retriesUsed", c.node_id as "nodeId", c.reserved, c.by_stranger as "byStranger", c.cost,
           c.created_at as "createdAt", t.claimed_at as "claimedAt", c.dialed_at as "dialedAt", c.answered_at as "answeredAt",
           t.sip_call_id as "sipCallId", ${unlimitedOf('w')} as unlimited, c.no_retry as "noRetry"
    from calls c
    join workspaces w on w.id = c.workspace_id
    join agents a on a.workspace_id = c.workspace_id and a.id = c.agent_id
    join agent_versions v on v.workspace_id = c.workspace_id and v.id = c.version_id
    left join call_attempts t on t.workspace_id = c.workspace_id and t.call_id = c.id and t.attempt = c.attempt
    left join campaigns l on l.workspace_id = c.workspace_id and l.id = coalesce(c.campaign_id, c.origin_campaign_id)
    where c.workspace_id = ${workspaceId} and c.id = any(${callIds}::uuid[])
    order by c.id
    ${isLocking ? sql`for update of c` : sql``}`.execute(tx);
  return rows.map(({ campaignConfig, ...call }) => ({
    ...call,
    versionConfig: versionDocument.read(call.versionConfig),
    callConfig: levelConfig(callLevelDocument.read(call.callConfig), callLevelDocument.read(campaignConfig)),
  }));
}
