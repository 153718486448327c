import type { VersionConfig } from '../../../store/json/agent-version.ts';
import type { StoredOnCallTool } from '../../../store/json/tools.ts';
import type { KnownAgent, KnownArgument, KnownTool } from '../../../voice/flow/check/tools.ts';
import { argumentsOf } from '../../tools/tool-arguments.ts';
import { toolName } from '../../tools/tool-types.ts';
import { agentVariables } from '../agent-variables.ts';

/** What a flow may use of a version of its agent. */
export function knownAgent(config: VersionConfig): KnownAgent {
  const tools = config.onCallTools ?? [];
  return {
    variables: [...agentVariables({ ...config, flow: null }).known],
    tools: tools.flatMap((tool) => (tool.type === 'MCP_SERVER' ? [] : [toKnown(tool)])),
    hasServers: tools.some(({ type }) => type === 'MCP_SERVER'),
  };
}

function toKnown(tool: StoredOnCallTool): KnownTool {
  const name = toolName(tool);
  if (tool.type === 'CALL_TRANSFER_TOOL') return { name, kind: 'transfer', arguments: [] };
  if (tool.type !== 'API_TOOL') return { name, kind: 'other', arguments: [] };
  return { name, kind: 'request', arguments: argumentsOf(tool).map(toArgument) };
}

const toArgument = ({ name, argument }: ReturnType<typeof argumentsOf>[number]): KnownArgument => ({
  name,
  type: argument.type === 'string' ? 'text' : argument.type === 'boolean' ? 'boolean' : 'number',
  isRequired: argument.required !== false,
  isSensitive: argument.sensitive === true,
});
