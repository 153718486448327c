import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { namedAgents } from '../../../store/agents/named.ts';
import type { StoredHandoff } from '../../../store/json/agent-version.ts';
import { operation } from './operation.ts';

/**
 * Replaces the agents that the model may hand a conversation over to; an empty list removes them. Throws 422 for an agent that
 * the workspace does not have, or that is archived.
 */
export const editHandoffs = operation<{ handoffs: StoredHandoff[] }>(
  async ({ tx, workspaceId, config }, { handoffs: sent }) => {
    const handoffs = sent.map((handoff) => ({ ...handoff, agentId: handoff.agentId.toLowerCase() }));
    const ids = [...new Set(handoffs.map(({ agentId }) => agentId))];
    const agents = await namedAgents(tx, workspaceId, ids.filter(isUuid));
    for (const [at, { agentId }] of handoffs.entries()) {
      const agent = agents.find(({ id }) => id === agentId);
      const field = `handoffs[${at}].agent_id`;
      if (agent === undefined)
        throw errors.invalid(field, 'must be an agent of this workspace that is not archived');
    }
    return { config: { ...config, handoffs } };
  },
);
