import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { campaignsOfAgent, campaignsUnderWay } from '../../store/campaigns/campaigns.ts';
import { archiveAgent } from '../../store/agents/versions.ts';
import { lockAgent } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { terminateCampaign } from '../campaigns/terminate-campaign.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

const UNSTARTED = ['uploaded', 'verifying', 'draft'] as const;

/**
 * Archives an agent: removes it from lists, detaches its numbers, cancels its queued calls and terminates its contact
 * lists that were never started. Its calls stay readable. Throws 404, and 409 while one of its campaigns runs.
 */
export async function deleteAgent(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
): Promise<{ agentId: string; cancelled: number }> {
  const archived = await commitChange(deps.db, change, async (tx) => {
    const agent = isUuid(agentId) ? await lockAgent(tx, workspaceId, agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    const running = await campaignsUnderWay(tx, workspaceId, { agentId: agent.id });
    if (running.length > 0) throw errors.agentHasCampaigns(running, 'the agent is deleted');
    await archiveAgent(tx, workspaceId, agent.id, new Date(deps.clock.now()));
    return agent.id;
  });
  // The dialer refuses calls of an archived agent; cancelling them here makes the end visible at once. The audit entry
  // is in the transaction above.
  const cancelled = await stopQueued(
    deps,
    workspaceId,
    null,
    { agentId: archived },
    { subStatus: 'USER_TERMINATED', withdraw: false },
  );
  for (const id of await campaignsOfAgent(deps.db, workspaceId, archived, UNSTARTED)) {
    await terminateCampaign(deps, workspaceId, null, id);
  }
  return { agentId: archived, cancelled };
}
