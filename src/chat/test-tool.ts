import type { VersionConfig } from '../store/json/agent-version.ts';
import type { StoredApiTool } from '../store/json/tools.ts';
import { versionForCall } from '../domain/agents/version-choice.ts';
import { callWindow } from '../domain/call-windows/call-window.ts';
import type { ChatDesk } from '../domain/chats/chat-desk.ts';
import { prepareTools, type ToolDeps } from '../domain/tools/call-tools.ts';
import { runApiTool, type ToolOutcome } from '../domain/tools/run-api-tool.ts';
import { toolVariables } from '../wire/tools/variables.ts';
import { TOOL_SECONDS, toolName } from '../domain/tools/tool-types.ts';
import { errors } from '../errors.ts';
import { isUuid, newId } from '../shared/ids.ts';
import { findAgent } from '../store/agents/agents.ts';
import type { Db } from '../store/database.ts';

/** As long as the slowest tool may take. */
const MOST_MS = TOOL_SECONDS.postCall.most * 1000;

/** Sends the real request of one tool of an agent, with the given arguments and variables. */
export const toolTester =
  (deps: ToolDeps & { readonly db: Db }): ChatDesk['testTool'] =>
  async (workspaceId, input) => {
    const agent = isUuid(input.agentId) ? await findAgent(deps.db, workspaceId, input.agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    const version = await versionForCall(deps.db, workspaceId, agent, newId(), input.versionId);
    const config = version.config;
    const variables = toolVariables(input.variables, {
      callId: newId(),
      direction: 'outbound',
      from: '',
      to: input.variables['mobile_number'] ?? '',
      agentId: agent.id,
      agentName: agent.displayName,
    });
    const startedAt = deps.clock.monotonic();
    const api = apiToolOf(config, input.tool);
    const outcome =
      api !== null
        ? await runApiTool(deps, api, {
            workspaceId,
            variables,
            args: input.args,
            timeoutMs: timeoutOf(api),
          })
        : await callMcp(deps, workspaceId, config, { ...input, variables });
    return { ...outcome, ms: Math.round(deps.clock.monotonic() - startedAt) };
  };

/** The API tool of this name, from any phase. */
function apiToolOf(config: VersionConfig, name: string): StoredApiTool | null {
  const { preCallTools: pre = [], onCallTools: on = [], postCallTools: post = [] } = config;
  const own = on.find((tool) => toolName(tool) === name);
  if (own?.type === 'API_TOOL') return own;
  if (own !== undefined && own.type !== 'MCP_SERVER') throw errors.toolNotTestable(name);
  return [...pre, ...post].find((tool) => tool.name === name) ?? null;
}

const timeoutOf = ({ timeoutSeconds: seconds }: StoredApiTool): number =>
  seconds === undefined ? MOST_MS : Math.min(MOST_MS, seconds * 1000);

async function callMcp(
  deps: ToolDeps,
  workspaceId: string,
  config: VersionConfig,
  input: {
    readonly tool: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly args: Readonly<Record<string, unknown>>;
  },
): Promise<ToolOutcome> {
  const servers = (config.onCallTools ?? []).filter((tool) => tool.type === 'MCP_SERVER');
  if (servers.length === 0) throw errors.toolNotFound();
  const { tool: name, variables, args } = input;
  const prepared = await prepareTools(deps, {
    workspaceId,
    config: { ...config, preCallTools: [], onCallTools: servers },
    variables,
    window: callWindow(config.callConfig.callTime, null, ''),
    lookUp: () => Promise.resolve({ ok: false, result: { error: 'no such tool' } }),
    budgetMs: 0,
  });
  if (!prepared.ready) throw errors.toolNotFound();
  const { tools } = prepared;
  try {
    if (tools.specs.some((spec) => spec.name === name)) return await tools.run(name, { ...args });
    // A server that could not be reached explains itself; otherwise no server has the tool.
    const [unreached] = tools.log;
    if (unreached === undefined) throw errors.toolNotFound();
    return { ok: false, result: unreached.result };
  } finally {
    await tools.close();
  }
}
