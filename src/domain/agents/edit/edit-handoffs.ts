import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { namedAgents } from '../../../store/agents/named.ts';
import type { StoredHandoff } from '../../../store/json/agent-version.ts';
import { languagesOf } from '../flow/known-agent.ts';
import { operation } from './operation.ts';

/**
 * Replaces the agents that the model may hand a conversation over to; an empty list removes them. Throws 422 for an agent that
 * the workspace does not have, that is archived, or that speaks another language.
 */
export const editHandoffs = operation<{ handoffs: StoredHandoff[] }>(
  async ({ tx, workspaceId, config }, { handoffs: sent }) => {
    const handoffs = sent.map((handoff) => ({ ...handoff, agentId: handoff.agentId.toLowerCase() }));
    const ids = [...new Set(handoffs.map(({ agentId }) => agentId))];
    const agents = await namedAgents(tx, workspaceId, ids.filter(isUuid));
    const languages = languagesOf(config);
    for (const [at, { agentId }] of handoffs.entries()) {
      const agent = agents.find(({ id }) => id === agentId);
      const field = `handoffs[${at}].agent_id`;
      if (agent === undefined)
        throw errors.invalid(field, 'must be an agent of this workspace that is not archived');
      if (!languages.includes(agent.language))
        throw errors.invalid(
          field,
          `must speak a language in which this agent hears (${languages.join(', ')}); ${agent.name} speaks ${agent.language}`,
        );
    }
    return { config: { ...config, handoffs } };
  },
);
