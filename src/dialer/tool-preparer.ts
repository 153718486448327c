import type { VersionConfig } from '../domain/agents/agent-version.ts';
import type { CallTime } from '../domain/agents/call-config.ts';
import { callWindow } from '../domain/calls/call-window.ts';
import { prepareTools, type LookUp, type PreparedTools, type ToolDeps } from '../domain/tools/call-tools.ts';
import { toolVariables, type ToolFacts } from '../domain/tools/template.ts';
import type { Log } from '../shared/log.ts';

export interface ToolCaller extends ToolFacts {
  readonly workspaceId: string;
  readonly config: VersionConfig;
  /** Variables of the prompt. */
  readonly variables: Readonly<Record<string, string>>;
  /** The window of the call or its campaign, merged over the agent's. */
  readonly callTime: Partial<CallTime> | null;
  readonly budgetMs: number;
}
/** Runs pre-call tools and opens on-call tools. Never rejects. */
export type PrepareTools = (caller: ToolCaller) => Promise<PreparedTools>;

/** Time for all pre-call tools; an inbound caller hears ringing meanwhile. */
export const OUTBOUND_BUDGET_MS = 30_000;
export const INBOUND_BUDGET_MS = 8_000;

export const toolPreparer =
  (
    deps: ToolDeps & {
      readonly log: Log;
      lookUp(
        at: { workspaceId: string; kbIds: readonly string[] },
        args: Parameters<LookUp>[0],
      ): ReturnType<LookUp>;
      /** Variables of earlier calls with the person; absent: none. */
      remember?(
        call: { workspaceId: string; callId: string },
        config: VersionConfig,
      ): Promise<Readonly<Record<string, string>>>;
      /** Absent: only the settlement decides on callbacks. */
      whyNoCallback?(call: { workspaceId: string; callId: string }, at: number): Promise<string | null>;
    },
  ): PrepareTools =>
  async (caller) => {
    const { config, callTime, budgetMs, workspaceId, callId } = caller;
    const remembered = await deps.remember?.({ workspaceId, callId }, config).catch((error: unknown) => {
      deps.log.warn({ err: error, callId }, 'a call goes on without the summary of the previous one');
      return {};
    });
    const person = caller.direction === 'inbound' ? caller.from : caller.to;
    const kbIds = config.knowledge_base_ids ?? [];
    return prepareTools(deps, {
      config,
      variables: toolVariables(caller.variables, caller),
      ...(remembered === undefined ? {} : { remembered: without(remembered, caller.variables) }),
      window: callWindow(config.call_config.call_time, callTime, person),
      lookUp: (args) => deps.lookUp({ workspaceId, kbIds }, args),
      whyNoCallback: async (at) =>
        deps.whyNoCallback?.({ workspaceId, callId }, at).catch((error: unknown) => {
          deps.log.warn({ err: error, callId }, 'a callback was not checked before the settlement');
          return null;
        }) ?? null,
      budgetMs,
    }).catch((error: unknown): PreparedTools => {
      deps.log.error({ err: error, callId: caller.callId }, 'the tools of a call could not be prepared');
      return { ready: false, log: [] };
    });
  };

/** A value that the call was given comes first. */
const without = (
  remembered: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(remembered).filter(([name]) => !Object.hasOwn(given, name)));
