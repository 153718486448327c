import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { findAgent } from '../../store/agents.ts';
import type { Db } from '../../store/database.ts';
import { campaignsOfAgent, RUNNING } from '../../store/campaigns.ts';
import { knownCalls, type CallScope } from '../../store/queued-calls.ts';
import { knownCampaign } from '../campaigns/read-campaigns.ts';
import { terminateCampaign } from '../campaigns/terminate-campaign.ts';
import { checkNumbers } from '../numbers/dialable-number.ts';
import { stopQueued } from './stop-queued.ts';

/** What is to be stopped, as the client names it: exactly one of these scopes. */
export interface TerminateInput {
  campaignId: string | null;
  agentId: string | null;
  callIds: readonly string[] | null;
  mobileNumbers: readonly string[] | null;
}

/**
 * Stops queued and retry calls (interface, PATCH /campaign/terminate): nothing in scope is dialled after this
 * resolves, and live calls in scope are not tried again. A campaign ends as a whole, and so do the running campaigns
 * of an agent; lists that were never started are no queue. Throws 422, 404 for what the workspace does not have, and
 * 400 when nothing is left to stop, except in a campaign.
 */
export async function terminateCalls(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  input: TerminateInput,
): Promise<{ terminated: number }> {
  checkScope(input);
  if (input.campaignId !== null && input.mobileNumbers === null) {
    const { id } = await knownCampaign(deps.db, workspaceId, input.campaignId);
    return { terminated: await terminateCampaign(deps, workspaceId, id) };
  }
  const scope = await scopeOf(deps.db, workspaceId, input);
  let ofCampaigns = 0;
  if ('agentId' in scope) {
    for (const id of await campaignsOfAgent(deps.db, workspaceId, scope.agentId, RUNNING)) {
      ofCampaigns += await terminateCampaign(deps, workspaceId, id);
    }
  }
  const individual = await stopQueued(deps, workspaceId, scope, {
    subStatus: 'USER_TERMINATED',
    withdraw: true,
  });
  const terminated = individual + ofCampaigns;
  if (terminated === 0) throw errors.nothingToStop();
  return { terminated };
}

function checkScope(input: TerminateInput): void {
  const { campaignId, agentId, callIds, mobileNumbers } = input;
  const scopes = [campaignId, agentId, callIds].filter((scope) => scope !== null).length;
  const isNumbersAlone = scopes === 0 && mobileNumbers !== null;
  const isOne = scopes === 1 && (mobileNumbers === null || campaignId !== null);
  if (!isNumbersAlone && !isOne) {
    throw errors.invalid(
      'body',
      'must have exactly one of campaign_id, agent_id, call_ids and mobile_numbers (which may go with campaign_id)',
    );
  }
  checkNumbers('mobile_numbers', mobileNumbers ?? []);
}

async function scopeOf(db: Db, workspaceId: string, input: TerminateInput): Promise<CallScope> {
  const { campaignId, agentId, callIds, mobileNumbers } = input;
  const numbers = [...new Set(mobileNumbers)];
  if (campaignId !== null) {
    const { id } = await knownCampaign(db, workspaceId, campaignId);
    return { laneId: id, numbers };
  }
  if (agentId !== null) {
    const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    return { agentId: agent.id };
  }
  if (callIds === null) return { numbers };
  const ids = callIds.map((id) => id.toLowerCase());
  const known = ids.every(isUuid) ? await knownCalls(db, workspaceId, ids) : new Set<string>();
  if (!ids.every((id) => known.has(id))) throw errors.callNotFound();
  return { callIds: [...known] };
}
