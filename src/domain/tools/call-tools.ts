import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { CallTransferTool, StoredPreCallTool } from '../../store/json/tools.ts';
import type { Clock } from '../../shared/clock.ts';
import { maskedArgs } from '../../shared/masked-args.ts';
import type { Seal } from '../../shared/seal.ts';
import type { ToolSpec } from '../../providers/ports/model.ts';
import { nextOpening, zoneOf, type CallWindow } from '../call-windows/call-window.ts';
import { callbackTime } from './callback-time.ts';
import { McpServers, type OpenMcp } from './mcp-servers.ts';
import { runApiTool, type ToolFetcher, type ToolOutcome } from './run-api-tool.ts';
import type { ToolLogEntry } from '../../voice/conversation.ts';
import { secondsOf, toolSpecs } from './tool-specs.ts';
import { TOOL_SECONDS } from './tool-types.ts';

export interface ToolDeps {
  readonly fetcher: ToolFetcher;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly openMcp: OpenMcp;
}
/** Searches the agent's knowledge bases for a question. */
export type LookUp = (args: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>;

export interface ToolCallInput {
  readonly workspaceId: string;
  readonly config: VersionConfig;
  /** Prompt variables and facts of the call. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables of earlier calls with the person, which reach prompt, greeting and tools. */
  readonly remembered?: Readonly<Record<string, string>>;
  /** The calling window; times without a zone are in its zone. */
  readonly window: CallWindow;
  readonly lookUp: LookUp;
  /** Why the person cannot be called back at this time, in words for the agent; null: they can. */
  readonly whyNoCallback?: (at: number) => Promise<string | null>;
  /** Time limit for all pre-call tools together. */
  readonly budgetMs: number;
}

export type PreparedTools =
  | { readonly ready: true; readonly tools: CallTools }
  /** A tool with `on_failure: fail_call` failed. */
  | { readonly ready: false; readonly log: readonly ToolLogEntry[] };

/** Runs the pre-call tools and connects the tools of the call. */
export async function prepareTools(deps: ToolDeps, input: ToolCallInput): Promise<PreparedTools> {
  const onCall = input.config.onCallTools ?? [];
  const servers = onCall.flatMap((tool) => (tool.type === 'MCP_SERVER' ? [tool] : []));
  const specs = toolSpecs(onCall);
  const opening = McpServers.open(
    deps,
    input.workspaceId,
    servers,
    specs.map((spec) => spec.name),
    () => deps.clock.now(),
  );
  const { remembered = {} } = input;
  const before = await runPreCall(deps, { ...input, variables: { ...remembered, ...input.variables } });
  const mcp = await opening;
  if (!before.ready) {
    await mcp.close();
    return { ready: false, log: before.log };
  }
  const at = deps.clock.now();
  const unreached = mcp.failed.map(({ name, error, ms }): ToolLogEntry => ({
    name,
    args: {},
    result: { error },
    at: at - ms,
    ms,
    ok: false,
    phase: 'pre_call',
  }));
  const log = [...before.log, ...unreached];
  const learnt = { ...remembered, ...before.learnt };
  return { ready: true, tools: new CallTools(deps, input, { specs, mcp, log, learnt }) };
}

interface Before {
  readonly ready: boolean;
  readonly log: ToolLogEntry[];
  readonly learnt: Record<string, string>;
}

/** Runs the tools in order, so that each can use the variables of the previous ones. */
async function runPreCall(deps: ToolDeps, input: ToolCallInput): Promise<Before> {
  const before: Before = { ready: true, log: [], learnt: {} };
  const until = deps.clock.monotonic() + input.budgetMs;
  for (const tool of input.config.preCallTools ?? []) {
    const leftMs = until - deps.clock.monotonic();
    const entry = await preCall(deps, tool, input, { ...input.variables, ...before.learnt }, leftMs);
    before.log.push(entry);
    Object.assign(before.learnt, entry.variables);
    if (entry.ok === false && tool.onFailure === 'fail_call') return { ...before, ready: false };
  }
  return before;
}

async function preCall(
  deps: ToolDeps,
  tool: StoredPreCallTool,
  { workspaceId }: ToolCallInput,
  variables: Readonly<Record<string, string>>,
  leftMs: number,
): Promise<ToolLogEntry> {
  const at = deps.clock.now();
  const timeoutMs = Math.min(leftMs, secondsOf(tool, TOOL_SECONDS.preCall.preset) * 1000);
  const outcome: ToolOutcome =
    timeoutMs <= 0
      ? { ok: false, result: { error: 'timeout' } }
      : await runApiTool(deps, tool, { workspaceId, variables, args: {}, timeoutMs });
  return { name: tool.name, args: {}, at, ms: deps.clock.now() - at, phase: 'pre_call', ...outcome };
}

/** The tools of one call: their specs and their execution. */
export class CallTools {
  readonly specs: readonly ToolSpec[];
  /** Log entries from before the call. */
  readonly log: readonly ToolLogEntry[];
  /** Variables of earlier calls, and those that the pre-call tools set. */
  readonly learnt: Readonly<Record<string, string>>;
  /** The callback that the person requested. */
  callback: { at: number; note: string } | null = null;
  readonly #deps: ToolDeps;
  readonly #input: ToolCallInput;
  readonly #mcp: McpServers;
  readonly #variables: Record<string, string>;

  constructor(
    deps: ToolDeps,
    input: ToolCallInput,
    made: {
      specs: readonly ToolSpec[];
      mcp: McpServers;
      log: readonly ToolLogEntry[];
      learnt: Record<string, string>;
    },
  ) {
    this.#deps = deps;
    this.#input = input;
    this.#mcp = made.mcp;
    this.specs = [...made.specs, ...made.mcp.specs];
    this.log = made.log;
    this.learnt = made.learnt;
    this.#variables = { ...input.variables, ...made.learnt };
  }

  /** Runs a tool outside the call's media; its server gets `key` as Idempotency-Key. Never throws. */
  async run(name: string, args: Record<string, unknown>, key?: string): Promise<ToolOutcome> {
    if (name === 'schedule_callback') return this.#scheduleCallback(args);
    if (name === 'lookup_knowledge') return this.#input.lookUp(args);
    if (this.#mcp.has(name)) return this.#mcp.call(name, args);
    const tool = this.#input.config.onCallTools?.find(
      (candidate) => candidate.type === 'API_TOOL' && candidate.name === name,
    );
    if (tool?.type !== 'API_TOOL') return { ok: false, result: { error: 'no such tool' } };
    const outcome = await runApiTool(this.#deps, tool, {
      workspaceId: this.#input.workspaceId,
      variables: this.#variables,
      args,
      timeoutMs: secondsOf(tool, TOOL_SECONDS.onCall.preset) * 1000,
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
    Object.assign(this.#variables, outcome.variables);
    return outcome;
  }

  /** The transfer tool of this name. */
  transfer(name: string): CallTransferTool | null {
    const tool = this.#input.config.onCallTools?.find(
      (candidate) => candidate.type === 'CALL_TRANSFER_TOOL' && (candidate.name ?? 'transfer_call') === name,
    );
    return tool?.type === 'CALL_TRANSFER_TOOL' ? tool : null;
  }

  async close(): Promise<void> {
    await this.#mcp.close();
  }

  async #scheduleCallback(args: Record<string, unknown>): Promise<ToolOutcome> {
    const text = (key: string): string => (typeof args[key] === 'string' ? args[key] : '').slice(0, 500);
    const { window, config } = this.#input;
    const now = this.#deps.clock.now();
    const at = callbackTime(text('when'), now, zoneOf(window, now), config.language);
    if (at === null) {
      return {
        ok: false,
        result: { status: 'noted', error: 'no future time was named; ask for day and hour' },
      };
    }
    const refusal = (await this.#input.whyNoCallback?.(at)) ?? null;
    if (refusal !== null) {
      const error = `${refusal}: no callback is scheduled; tell the person, and do not promise one`;
      return { ok: false, result: { status: 'refused', error } };
    }
    const note = maskedArgs({ note: text('said') || text('when') })['note'];
    this.callback = { at, note: String(note) };
    const opening = nextOpening(window, at) ?? at;
    return { ok: true, result: { status: 'scheduled', at: new Date(opening).toISOString() } };
  }
}
