import type { VersionConfig } from '../domain/agents/agent-version.ts';
import type { CallTime } from '../domain/agents/call-config.ts';
import { callWindow } from '../domain/calls/call-window.ts';
import { prepareTools, type LookUp, type PreparedTools, type ToolDeps } from '../domain/tools/call-tools.ts';
import { toolVariables, type ToolFacts } from '../domain/tools/tool-variables.ts';
import type { Log } from '../shared/log.ts';

export interface ToolCaller extends ToolFacts {
  readonly workspaceId: string;
  readonly config: VersionConfig;
  /** Variables of the prompt. */
  readonly variables: Readonly<Record<string, string>>;
  /** The call's own window, or its campaign's, over the agent's. */
  readonly callTime: Partial<CallTime> | null;
  readonly budgetMs: number;
}
/** Makes the tools of one call ready. Never rejects. */
export type PrepareTools = (caller: ToolCaller) => Promise<PreparedTools>;

/** All pre-call tools of a call that is placed, and of one that rings here meanwhile. */
export const OUTBOUND_BUDGET_MS = 30_000;
export const INBOUND_BUDGET_MS = 8_000;

export const toolPreparer =
  (
    deps: ToolDeps & {
      readonly log: Log;
      /** Looks something up in knowledge bases. */
      lookUp(
        at: { workspaceId: string; kbIds: readonly string[] },
        args: Parameters<LookUp>[0],
      ): ReturnType<LookUp>;
    },
  ): PrepareTools =>
  (caller) => {
    const { config, callTime, budgetMs, workspaceId } = caller;
    const person = caller.direction === 'inbound' ? caller.from : caller.to;
    const kbIds = config.knowledge_base_ids ?? [];
    return prepareTools(deps, {
      config,
      variables: toolVariables(caller.variables, caller),
      window: callWindow(config.call_config.call_time, callTime, person),
      lookUp: (args) => deps.lookUp({ workspaceId, kbIds }, args),
      budgetMs,
    }).catch((error: unknown): PreparedTools => {
      deps.log.error({ err: error, callId: caller.callId }, 'the tools of a call could not be made ready');
      return { ready: false, log: [] };
    });
  };
