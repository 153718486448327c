import type { Clock } from '../../shared/clock.ts';
import { maskedArgs } from '../../shared/masked-args.ts';
import type { Seal } from '../../shared/seal.ts';
import type { ToolSpec } from '../../voice/ports.ts';
import type { VersionConfig } from '../agents/agent-version.ts';
import { nextOpening, zoneOf, type CallWindow } from '../calls/call-window.ts';
import { callbackTime } from './callback-time.ts';
import { McpServers, type OpenMcp } from './mcp-servers.ts';
import { runApiTool, type ToolFetcher, type ToolOutcome } from './run-api-tool.ts';
import type { ToolLogEntry } from './tool-log.ts';
import { secondsOf, toolSpecs } from './tool-specs.ts';
import { TOOL_SECONDS, type CallTransferTool, type StoredPreCallTool } from './tool-types.ts';

export interface ToolDeps {
  readonly fetcher: ToolFetcher;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly openMcp: OpenMcp;
}
/** Looks a question up in the agent's knowledge bases. */
export type LookUp = (args: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>;

export interface ToolCallInput {
  readonly config: VersionConfig;
  /** Variables of the prompt and facts of the call. */
  readonly variables: Readonly<Record<string, string>>;
  /** When the person may be called; times without a zone are meant in its zone. */
  readonly window: CallWindow;
  readonly lookUp: LookUp;
  /** All pre-call tools together take no longer. */
  readonly budgetMs: number;
}

export type PreparedTools =
  | { readonly ready: true; readonly tools: CallTools }
  /** A tool that the call depends on failed. */
  | { readonly ready: false; readonly log: readonly ToolLogEntry[] };

/** Asks what is to be known before the call, and has every tool ready that may be used in it. */
export async function prepareTools(deps: ToolDeps, input: ToolCallInput): Promise<PreparedTools> {
  const onCall = input.config.on_call_tools ?? [];
  const servers = onCall.flatMap((tool) => (tool.type === 'MCP_SERVER' ? [tool] : []));
  const specs = toolSpecs(onCall);
  const opening = McpServers.open(
    deps,
    servers,
    specs.map((spec) => spec.name),
    () => deps.clock.now(),
  );
  const before = await runPreCall(deps, input);
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
  return { ready: true, tools: new CallTools(deps, input, { specs, mcp, log, learnt: before.learnt }) };
}

interface Before {
  readonly ready: boolean;
  readonly log: ToolLogEntry[];
  readonly learnt: Record<string, string>;
}

/** In order, so that one can use what the one before it learnt. */
async function runPreCall(deps: ToolDeps, input: ToolCallInput): Promise<Before> {
  const before: Before = { ready: true, log: [], learnt: {} };
  const until = deps.clock.monotonic() + input.budgetMs;
  for (const tool of input.config.pre_call_tools ?? []) {
    const leftMs = until - deps.clock.monotonic();
    const entry = await preCall(deps, tool, { ...input.variables, ...before.learnt }, leftMs);
    before.log.push(entry);
    Object.assign(before.learnt, entry.variables);
    if (entry.ok === false && tool.on_failure === 'fail_call') return { ...before, ready: false };
  }
  return before;
}

async function preCall(
  deps: ToolDeps,
  tool: StoredPreCallTool,
  variables: Readonly<Record<string, string>>,
  leftMs: number,
): Promise<ToolLogEntry> {
  const at = deps.clock.now();
  const timeoutMs = Math.min(leftMs, secondsOf(tool, TOOL_SECONDS.preCall.preset) * 1000);
  const outcome: ToolOutcome =
    timeoutMs <= 0
      ? { ok: false, result: { error: 'timeout' } }
      : await runApiTool(deps, tool, { variables, args: {}, timeoutMs });
  return { name: tool.name, args: {}, at, ms: deps.clock.now() - at, phase: 'pre_call', ...outcome };
}

/** The tools of one call: what they are, and their use. */
export class CallTools {
  readonly specs: readonly ToolSpec[];
  /** What happened before the call. */
  readonly log: readonly ToolLogEntry[];
  /** Variables the pre-call tools set. */
  readonly learnt: Readonly<Record<string, string>>;
  /** When the person wants to be called again. */
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

  /** Uses a tool that works outside the call's media. Never throws. */
  async run(name: string, args: Record<string, unknown>): Promise<ToolOutcome> {
    if (name === 'schedule_callback') return this.#scheduleCallback(args);
    if (name === 'lookup_knowledge') return this.#input.lookUp(args);
    if (this.#mcp.has(name)) return this.#mcp.call(name, args);
    const tool = this.#input.config.on_call_tools?.find(
      (candidate) => candidate.type === 'API_TOOL' && candidate.name === name,
    );
    if (tool?.type !== 'API_TOOL') return { ok: false, result: { error: 'no such tool' } };
    const outcome = await runApiTool(this.#deps, tool, {
      variables: this.#variables,
      args,
      timeoutMs: secondsOf(tool, TOOL_SECONDS.onCall.preset) * 1000,
    });
    Object.assign(this.#variables, outcome.variables);
    return outcome;
  }

  /** The transfer that goes by this name. */
  transfer(name: string): CallTransferTool | null {
    const tool = this.#input.config.on_call_tools?.find(
      (candidate) => candidate.type === 'CALL_TRANSFER_TOOL' && (candidate.name ?? 'transfer_call') === name,
    );
    return tool?.type === 'CALL_TRANSFER_TOOL' ? tool : null;
  }

  async close(): Promise<void> {
    await this.#mcp.close();
  }

  #scheduleCallback(args: Record<string, unknown>): ToolOutcome {
    const text = (key: string): string => (typeof args[key] === 'string' ? args[key] : '').slice(0, 500);
    const { window, config } = this.#input;
    const now = this.#deps.clock.now();
    const at = callbackTime(text('when'), now, zoneOf(window, now), config.language);
    if (at === null) {
      return {
        ok: false,
        result: { status: 'noted', error: 'no time to come was named; ask for day and hour' },
      };
    }
    const note = maskedArgs({ note: text('said') || text('when') })['note'];
    this.callback = { at, note: String(note) };
    const opening = nextOpening(window, at) ?? at;
    return { ok: true, result: { status: 'scheduled', at: new Date(opening).toISOString() } };
  }
}
