import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { campaignsOfAgent, campaignsUnderWay } from '../../store/campaigns.ts';
import { archiveAgent } from '../../store/agent-versions.ts';
import { lockAgent } from '../../store/agents.ts';
import type { Db } from '../../store/database.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { terminateCampaign } from '../campaigns/terminate-campaign.ts';

const UNSTARTED = ['uploaded', 'verifying', 'draft'] as const;

/**
 * Archives an agent: it is gone from every list, its numbers take no calls, its queued calls are cancelled, contact
 * lists of it that were never started end terminated, and what it did stays readable. Throws 404, and 409 while a
 * campaign of it runs.
 */
export async function deleteAgent(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  agentId: string,
): Promise<{ agentId: string; cancelled: number }> {
  const archived = await deps.db.transaction().execute(async (tx) => {
    const agent = isUuid(agentId) ? await lockAgent(tx, workspaceId, agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    const running = await campaignsUnderWay(tx, workspaceId, { agent_id: agent.id });
    if (running.length > 0) throw errors.agentHasCampaigns(running, 'the agent is deleted');
    await archiveAgent(tx, workspaceId, agent.id, new Date(deps.clock.now()));
    return agent.id;
  });
  // From here on the dialer ends what it finds of this agent; this only makes it visible at once.
  const cancelled = await stopQueued(
    deps,
    workspaceId,
    { agentId: archived },
    { subStatus: 'USER_TERMINATED', withdraw: false },
  );
  for (const id of await campaignsOfAgent(deps.db, workspaceId, archived, UNSTARTED)) {
    await terminateCampaign(deps, workspaceId, id);
  }
  return { agentId: archived, cancelled };
}
