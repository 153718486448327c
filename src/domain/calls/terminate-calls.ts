import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { findAgent } from '../../store/agents.ts';
import type { Db } from '../../store/database.ts';
import { knownCalls, type CallScope } from '../../store/queued-calls.ts';
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
 * resolves, and live calls in scope are not tried again. Throws 422, 404 for what the workspace does not have, and
 * 400 when nothing is left to stop.
 */
export async function terminateCalls(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  input: TerminateInput,
): Promise<{ terminated: number }> {
  const scope = await scopeOf(deps.db, workspaceId, input);
  const terminated = await stopQueued(deps, workspaceId, scope, {
    subStatus: 'USER_TERMINATED',
    withdraw: true,
  });
  if (terminated === 0) throw errors.nothingToStop();
  return { terminated };
}

async function scopeOf(db: Db, workspaceId: string, input: TerminateInput): Promise<CallScope> {
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
  if (campaignId !== null) throw errors.campaignNotFound();
  if (agentId !== null) {
    const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    return { agentId: agent.id };
  }
  if (callIds === null) return { numbers: [...new Set(mobileNumbers)] };
  const ids = callIds.map((id) => id.toLowerCase());
  const known = ids.every(isUuid) ? await knownCalls(db, workspaceId, ids) : new Set<string>();
  if (!ids.every((id) => known.has(id))) throw errors.callNotFound();
  return { callIds: [...known] };
}
