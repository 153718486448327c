import type { CaseEnd, Definition } from './case-draft.ts';

/** A conversation that a case is made of. */
export interface Conversation {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The words of the caller, in order. */
  readonly lines: readonly string[];
  readonly tools: readonly {
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly result: unknown;
    readonly ok: boolean;
    readonly variables?: Readonly<Record<string, string>>;
  }[];
  readonly end: string | null;
}

const ENDS: ReadonlySet<string> = new Set<CaseEnd>(['AGENT_ENDED', 'CALL_TRANSFERRED', 'OPTED_OUT']);
/** Every agent has these; how the conversation ends says more. */
const BUILT_IN: ReadonlySet<string> = new Set(['end_call', 'opt_out', 'lookup_knowledge']);
const MOST_LINES = 30;
const MOST_LINE = 1000;
const MOST_TOOLS = 20;
const MOST_RESULT = 8000;
const HIDDEN = '***';

/** The case that a conversation proposes: its lines, the tools that it called with what they answered, and its end. */
export function proposalOf(of: Conversation): Definition {
  const tools = of.tools.filter(({ name }) => !BUILT_IN.has(name)).slice(0, MOST_TOOLS);
  const lines = of.lines.map((line) => line.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_LINE));
  return {
    name: of.name.slice(0, 100),
    custom_args_values: { ...of.variables },
    lines: lines.filter((line) => line !== '').slice(0, MOST_LINES),
    expectations: [
      ...tools.map(({ name, args }) => ({ type: 'calls_tool' as const, tool: name, ...known(args) })),
      ...(of.end !== null && ENDS.has(of.end) ? [{ type: 'ends' as const, as: [of.end as CaseEnd] }] : []),
    ],
    tool_results: tools
      .filter(({ result }) => !isDryRun(result) && JSON.stringify(result ?? null).length <= MOST_RESULT)
      .map(({ name, ok, result, variables }) => ({
        tool: name,
        ok,
        result: result ?? null,
        ...(variables === undefined || Object.keys(variables).length === 0
          ? {}
          : { variables: { ...variables } }),
      })),
  };
}

/** The arguments that the record shows: masked ones cannot be expected. */
function known(args: Readonly<Record<string, unknown>>): { arguments?: Record<string, unknown> } {
  const shown = Object.entries(args).filter(([, value]) => value !== HIDDEN);
  return shown.length === 0 ? {} : { arguments: Object.fromEntries(shown) };
}

const isDryRun = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'dry_run' in result && result.dry_run === true;

/** The tools in the log of a call or chat that ran during the conversation. */
export const loggedTools = (log: readonly unknown[]): Conversation['tools'] =>
  log.flatMap((entry) => {
    const { name, args, result, ok, phase, variables } = entry as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || (phase !== undefined && phase !== 'on_call')) return [];
    return [
      {
        name,
        args: (args ?? {}) as Record<string, unknown>,
        result,
        ok: ok !== false,
        ...(variables === undefined ? {} : { variables: variables as Record<string, string> }),
      },
    ];
  });
