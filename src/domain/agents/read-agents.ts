import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { abResults } from '../../store/agent-versions.ts';
import { findAgent, inboundNumbersOf, listAgents, listVersions } from '../../store/agents.ts';
import type { Db } from '../../store/database.ts';
import { knowledgeBaseNames } from '../../store/knowledge.ts';
import { toAgentSummary, toVersionDetails } from './agent-record.ts';
import { takesInboundCalls, type VersionConfig } from './agent-version.ts';
import type { VoiceCatalogue } from './voice-catalogue.ts';

/** A page of the workspace's agents, newest first; `limit` null means all of them. */
export async function readAgents(
  deps: { db: Db },
  workspaceId: string,
  page: { limit: number | null; offset: number },
) {
  const { agents, total } = await listAgents(deps.db, workspaceId, page);
  const ids = agents.map((agent) => agent.id);
  const inbound = await inboundNumbersOf(deps.db, workspaceId, ids);
  const tested = agents.filter((agent) => agent.ab_started_at !== null).map((agent) => agent.id);
  const results = await abResults(deps.db, workspaceId, tested);
  return {
    agents: agents.map((agent) => toAgentSummary(agent, inbound.get(agent.id) ?? null, results)),
    total,
    limit: page.limit ?? total,
    offset: page.offset,
  };
}

/**
 * One agent with its versions. `inboundOnly` asks for its inbound settings: the same record for an agent that
 * takes calls (404 when it does not exist, 400 when it never takes any).
 */
export async function readAgent(
  deps: { db: Db; voices: VoiceCatalogue; link: { publicUrl: string } },
  workspaceId: string,
  agentId: string,
  inboundOnly: boolean,
) {
  const agent = isUuid(agentId) ? await findAgent(deps.db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  if (inboundOnly && !takesInboundCalls(agent.agent_type)) throw errors.agentNotInbound();
  const versions = await listVersions(deps.db, workspaceId, agent.id);
  const kbIds = versions.flatMap(
    ({ config }) => (config as unknown as VersionConfig).knowledge_base_ids ?? [],
  );
  const kbNames = await knowledgeBaseNames(deps.db, workspaceId, [...new Set(kbIds)]);
  const inbound = await inboundNumbersOf(deps.db, workspaceId, [agent.id]);
  const results = agent.ab_started_at === null ? [] : await abResults(deps.db, workspaceId, [agent.id]);
  return {
    ...toAgentSummary(agent, inbound.get(agent.id) ?? null, results),
    version_details: Object.fromEntries(
      versions.map((v) => [v.id, toVersionDetails(v, kbNames, deps.voices, deps.link.publicUrl)]),
    ),
  };
}
