import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { findAgent } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import { campaignsOfAgent, RUNNING } from '../../store/campaigns/campaigns.ts';
import { knownCalls, type CallScope } from '../../store/calls/queued-calls.ts';
import { knownMessages } from '../../store/campaigns/messages.ts';
import { stopMessages } from '../campaigns/messages/stop-messages.ts';
import { knownCampaign } from '../campaigns/read-campaigns.ts';
import { terminateCampaign } from '../campaigns/terminate-campaign.ts';
import { checkNumbers } from '../numbers/dialable-number.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import type { ChangeEntry } from '../audit/change-entry.ts';

/** The scope in the request: exactly one field is set, `mobileNumbers` also beside `campaignId`. */
export interface TerminateInput {
  campaignId: string | null;
  agentId: string | null;
  callIds: readonly string[] | null;
  mobileNumbers: readonly string[] | null;
}

/**
 * Stops queued and retry calls (interface, PATCH /campaign/terminate): no call in scope is dialled after this resolves,
 * and live calls in scope are not retried. A campaign is terminated as a whole, and so are an agent's running campaigns;
 * campaigns that were never started are left alone. Throws 422, 404 for ids of other workspaces, and 400 when there is
 * nothing to stop, except for a campaign.
 */
export async function terminateCalls(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  input: TerminateInput,
): Promise<{ terminated: number }> {
  checkScope(input);
  if (input.campaignId !== null && input.mobileNumbers === null) {
    const { id } = await knownCampaign(deps.db, workspaceId, input.campaignId);
    return { terminated: await terminateCampaign(deps, workspaceId, change, id) };
  }
  const scope = await scopeOf(deps.db, workspaceId, input);
  let ofCampaigns = 0;
  if ('agentId' in scope) {
    for (const id of await campaignsOfAgent(deps.db, workspaceId, scope.agentId, RUNNING)) {
      ofCampaigns += await terminateCampaign(deps, workspaceId, change, id);
    }
  }
  const individual = await stopQueued(deps, workspaceId, change, scope, {
    subStatus: 'USER_TERMINATED',
    withdraw: true,
  });
  const messages =
    'agentId' in scope || 'callbacksOf' in scope
      ? 0
      : await stopMessages(
          deps,
          workspaceId,
          'callIds' in scope ? { messageIds: scope.callIds } : scope,
          'USER_TERMINATED',
        );
  const terminated = individual + ofCampaigns + messages;
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
    return { campaignId: id, numbers };
  }
  if (agentId !== null) {
    const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    return { agentId: agent.id };
  }
  if (callIds === null) return { numbers };
  const ids = callIds.map((id) => id.toLowerCase());
  const isShaped = ids.every(isUuid);
  const known = isShaped ? await knownCalls(db, workspaceId, ids) : new Set<string>();
  // The messages of campaigns have ids of their own.
  if (isShaped && known.size < ids.length)
    for (const id of await knownMessages(db, workspaceId, ids)) known.add(id);
  if (!ids.every((id) => known.has(id))) throw errors.callNotFound();
  return { callIds: [...known] };
}
