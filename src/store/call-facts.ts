import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { levelConfig } from './level-config.ts';
import type { CallStatus, CallType, CampaignState, JsonObject } from './schema.ts';

/** A call with what its events and its settling need, its row locked until commit. */
export interface CallFacts {
  readonly workspaceId: string;
  readonly id: string;
  readonly laneId: string | null;
  /** Of a callback: the campaign in whose call it was asked for. */
  readonly originLaneId: string | null;
  readonly agentId: string;
  readonly agentName: string;
  readonly versionId: string;
  readonly versionConfig: JsonObject;
  readonly callType: CallType;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly args: Record<string, string>;
  /** The call's own, laid over its campaign's. */
  readonly callConfig: JsonObject | null;
  /** Of its campaign, or of the one it was asked for in. */
  readonly campaignState: CampaignState | null;
  /** That campaign's end: nothing of it rings from then on. */
  readonly campaignEndAt: Date | null;
  /** The receiver the call itself named, or else its campaign; beside the agent's subscriptions. */
  readonly callback: JsonObject | null;
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly attempt: number;
  readonly retriesUsed: number;
  readonly nodeId: string | null;
  readonly reserved: number;
  readonly cost: number;
  readonly createdAt: Date;
  readonly dialedAt: Date | null;
  readonly answeredAt: Date | null;
  readonly sipCallId: string | null;
  readonly unlimited: boolean;
  /** Terminated while it was live: never dialled again. */
  readonly noRetry: boolean;
}

/** Reads and locks one call; null when the workspace has no such call. */
export async function lockCall(tx: Tx, workspaceId: string, callId: string): Promise<CallFacts | null> {
  const [call] = await lockCalls(tx, workspaceId, [callId]);
  return call ?? null;
}

/** Reads and locks calls of the workspace, in the order of their ids so that lockers never cross. */
export async function lockCalls(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
): Promise<CallFacts[]> {
  const { rows } = await sql<CallFacts & { campaignConfig: JsonObject | null }>`
    select c.workspace_id as "workspaceId", c.id, c.lane_id as "laneId",
           c.origin_lane_id as "originLaneId", c.agent_id as "agentId",
           a.display_name as "agentName", c.version_id as "versionId", v.config as "versionConfig",
           c.call_type as "callType", c.from_number as "fromNumber", c.to_number as "toNumber", c.args,
           c.call_config as "callConfig", l.call_config as "campaignConfig", l.state as "campaignState", l.end_at as "campaignEndAt",
           coalesce(c.callback, case when c.lane_id is not null then l.callback end) as callback, c.status, c.sub_status as "subStatus", c.attempt,
           c.retries_used as "retriesUsed", c.node_id as "nodeId", c.reserved, c.cost,
           c.created_at as "createdAt", c.dialed_at as "dialedAt", c.answered_at as "answeredAt",
           (select sip_call_id from call_attempts t
            where t.workspace_id = c.workspace_id and t.call_id = c.id and t.attempt = c.attempt) as "sipCallId",
           w.unlimited, c.no_retry as "noRetry"
    from calls c
    join workspaces w on w.id = c.workspace_id
    join agents a on a.workspace_id = c.workspace_id and a.id = c.agent_id
    join agent_versions v on v.workspace_id = c.workspace_id and v.id = c.version_id
    left join campaigns l on l.workspace_id = c.workspace_id and l.id = coalesce(c.lane_id, c.origin_lane_id)
    where c.workspace_id = ${workspaceId} and c.id = any(${callIds}::uuid[])
    order by c.id
    for update of c`.execute(tx);
  return rows.map(({ campaignConfig, ...call }) => ({
    ...call,
    callConfig: levelConfig(call.callConfig, campaignConfig),
  }));
}
