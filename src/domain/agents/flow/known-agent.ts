import type { VersionConfig } from '../../../store/json/agent-version.ts';
import type { StoredOnCallTool } from '../../../store/json/tools.ts';
import { isUuid } from '../../../shared/ids.ts';
import { namedAgents } from '../../../store/agents/named.ts';
import type { Db } from '../../../store/database.ts';
import { FLOW_LIMITS } from '../../../voice/flow/document.ts';
import type { KnownAgent, KnownArgument, KnownTool } from '../../../voice/flow/check/tools.ts';
import { argumentsOf } from '../../tools/tool-arguments.ts';
import { toolName } from '../../tools/tool-types.ts';
import type { VoiceCatalogue } from '../voice-catalogue.ts';
import { agentVariables } from '../agent-variables.ts';

/** What a flow may use, the agents that it hands over to included. */
export async function knownOf(
  db: Db,
  workspaceId: string,
  config: VersionConfig,
  document: unknown,
  voices: Pick<VoiceCatalogue, 'byId'>,
): Promise<KnownAgent> {
  const named = voiceIdsIn(document).flatMap((id) => voices.byId(id) ?? []);
  return { ...knownAgent(config, await namedAgents(db, workspaceId, handoffIds(document))), voices: named };
}

/** The voices that a document names, read without trust. */
export const voiceIdsIn = (document: unknown): string[] =>
  idsIn(document, 'talk', (node) => (node as { voice?: unknown }).voice);

/** The agents that a document may hand over to, read without trust. */
const handoffIds = (document: unknown): string[] =>
  idsIn(document, 'handoff', (node) => (node as { agent_id?: unknown }).agent_id);

/** The models that the steps of a stored flow name. */
export const modelNamesIn = (flow: VersionConfig['flow']): string[] => {
  const { nodes = [], global = [] } = (flow ?? {}) as { nodes?: object[]; global?: object[] };
  const names = [...nodes, ...global].flatMap((node) =>
    'model' in node && typeof node.model === 'string' ? [node.model] : [],
  );
  return [...new Set(names)];
};

/** What the nodes of a kind name by a UUID, each once. */
function idsIn(document: unknown, kind: string, idOf: (node: object) => unknown): string[] {
  const { nodes, global } = (document ?? {}) as { nodes?: unknown; global?: unknown };
  const lists = [nodes, global].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  const ids = lists.flatMap((node) => {
    if (typeof node !== 'object' || node === null || (node as { type?: unknown }).type !== kind) return [];
    const id = idOf(node);
    return typeof id === 'string' && isUuid(id) ? [id.toLowerCase()] : [];
  });
  return [...new Set(ids)].slice(0, FLOW_LIMITS.nodes);
}

/** What a flow may use of a version of its agent. */
export function knownAgent(config: VersionConfig, agents: KnownAgent['agents'] = []): KnownAgent {
  const tools = config.onCallTools ?? [];
  return {
    variables: [...agentVariables({ ...config, flow: null }).known],
    tools: tools.flatMap((tool) => (tool.type === 'MCP_SERVER' ? [] : [toKnown(tool)])),
    agents,
    languages: [config.language, ...(config.secondaryLanguage === null ? [] : [config.secondaryLanguage])],
    voices: [],
    knowledge: config.knowledgeBaseIds ?? [],
    hasServers: tools.some(({ type }) => type === 'MCP_SERVER'),
  };
}

function toKnown(tool: StoredOnCallTool): KnownTool {
  const name = toolName(tool);
  // A flow ends at its transfer, so that its agent could not introduce a person who joins.
  if (tool.type === 'CALL_TRANSFER_TOOL')
    return { name, kind: tool.mode === 'join' ? 'other' : 'transfer', arguments: [] };
  if (tool.type !== 'API_TOOL') return { name, kind: 'other', arguments: [] };
  return { name, kind: 'request', arguments: argumentsOf(tool).map(toArgument) };
}

const toArgument = ({ name, argument }: ReturnType<typeof argumentsOf>[number]): KnownArgument => ({
  name,
  type: argument.type === 'string' ? 'text' : argument.type === 'boolean' ? 'boolean' : 'number',
  isRequired: argument.required !== false,
  isSensitive: argument.sensitive === true,
});
