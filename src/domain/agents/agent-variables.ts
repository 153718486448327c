import type { VersionConfig } from '../../store/json/agent-version.ts';
import { nearMisses } from '../../shared/near-miss.ts';
import { findVariables, valueOf, variableUses } from '../../shared/variables.ts';
import type { FieldProblem } from '../../errors.ts';
import type { Warning } from '../warnings.ts';
import { REQUIRED_VARIABLES } from './agent-version.ts';

/** The prompt variable with the summary of the agent's previous call with the same number. */
export const PREVIOUS_SUMMARY = 'previous_call_summary';

/** The variables of one version of an agent. */
export interface AgentVariables {
  /** Used somewhere without a fallback, so that a call needs a value, with the places. */
  readonly needed: ReadonlyMap<string, string>;
  /** Used anywhere in what the agent speaks or follows. */
  readonly used: readonly string[];
  /** Every variable that has an effect: used, declared, or set by a tool. */
  readonly known: ReadonlySet<string>;
}

/** Facts of a call that its tools use as variables (docs/tools.md). */
export const FACTS = ['call_id', 'call_direction', 'from_number', 'to_number', 'agent_id', 'agent_name'];

type Spoken = Pick<VersionConfig['agentConfig'], 'agentPrompt' | 'introMessage'>;

/** The texts of a version that its agent speaks or follows, by what a person calls them. */
export function spokenTexts(
  { agentPrompt: prompt, introMessage: intro }: Spoken,
  voicemail: Partial<VersionConfig['callConfig']['voicemail']> | undefined,
): [place: string, text: string][] {
  const isLeft = voicemail?.detect !== false && voicemail?.action === 'static_message';
  return [
    ['prompt', prompt],
    ['first message', intro],
    ...(isLeft ? [['voicemail message', voicemail.staticMessage ?? ''] as [string, string]] : []),
  ];
}

/** Variables that tools and the previous call set before or during a conversation. */
export function lookedUpVariables(config: Pick<VersionConfig, 'preCallTools'>): string[] {
  return [PREVIOUS_SUMMARY, ...(config.preCallTools ?? []).flatMap(resultsOf)];
}

const resultsOf = (tool: object): string[] =>
  'resultVariables' in tool ? Object.keys((tool.resultVariables as object | undefined) ?? {}) : [];

export function agentVariables(config: VersionConfig): AgentVariables {
  const { customVariables: declared } = config.agentConfig;
  const duringCall = (config.onCallTools ?? []).flatMap(resultsOf);
  const set = new Set([...lookedUpVariables(config), ...duringCall]);
  const needed = new Map<string, string>();
  const spoken = spokenTexts(config.agentConfig, config.callConfig.voicemail);
  for (const [place, text] of spoken) {
    for (const { name, fallback } of variableUses(text)) {
      if (fallback === null && !set.has(name) && !needed.has(name)) needed.set(name, place);
    }
  }
  // Stored secrets are sealed text without braces, so the JSON of the tools shows every use.
  const tools = JSON.stringify([config.preCallTools, config.onCallTools, config.postCallTools]);
  const used = spoken.flatMap(([, text]) => findVariables(text));
  return {
    needed,
    used,
    known: new Set([
      ...REQUIRED_VARIABLES,
      ...declared,
      ...set,
      ...FACTS,
      ...used,
      ...findVariables(tools),
      ...flowVariables(config),
      ...[...tools.matchAll(NAMED)].map((match) => match[1] ?? ''),
    ]),
  };
}
/** The variables of a flow, which a call may set, and those that its texts speak. */
function flowVariables({ flow }: VersionConfig): string[] {
  if (flow == null) return [];
  const own = flow['variables'] as readonly { name: string }[] | undefined;
  return [...(own ?? []).map(({ name }) => name), ...findVariables(JSON.stringify(flow))];
}

/** A tool's value that is a variable: `{"source":"variable","name":"…"}`. */
const NAMED = /"source":"variable","name":"([^"]{1,100})"/gu;

const VALUES = 'custom_args_values';

/** What the values of one call lack, and what they name in vain. `given` has what the service itself adds. */
export function variableWarnings(
  { needed, known }: AgentVariables,
  sent: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Warning[] {
  const missing = [...needed]
    .filter(([name]) => valueOf(sent, name) === null && valueOf(given, name) === null)
    .map(([name, place]): Warning => ({
      code: 'VARIABLE_MISSING',
      field: `${VALUES}.${name}`,
      message: `has no value, and the ${place} of the agent uses it: the agent leaves that phrase out. Send a value, or write a fallback such as {{${name}|…}}`,
    }));
  const unknown = Object.keys(sent).filter((name) => !known.has(name));
  const meant = new Map(nearMisses(unknown, [...known]).map((found) => [found.given, found.meant]));
  return [
    ...missing,
    ...unknown.map((name): Warning => {
      const likely = meant.get(name) ?? closest(name, [...needed.keys()]);
      return {
        code: 'VARIABLE_UNKNOWN',
        field: `${VALUES}.${name}`,
        message: `is not a variable of this agent${likely === undefined ? '' : `; did you mean ${likely}?`}`,
      };
    }),
  ];
}

/** A variable that differs in letter case, blanks, `_`, `-` and `.` alone. */
const closest = (name: string, names: readonly string[]): string | undefined =>
  names.find((known) => loose(known) === loose(name));
const loose = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]+/gu, '');

/** The same as the problems of a refused request, for a workspace with `strict_variables`. */
export const asProblems = (warnings: readonly Warning[]): FieldProblem[] =>
  warnings.map(({ field, message }) => ({ field, message }));

const KEPT = 2_000;

/**
 * The variables of versions in memory, so that placing a call reads no prompt. The revision is the row's transaction id,
 * which every edit of the version changes.
 */
export class VariablesCache {
  readonly #kept = new Map<string, { readonly revision: string; readonly variables: AgentVariables }>();

  async of(
    versionId: string,
    revision: string,
    read: () => Promise<VersionConfig | null>,
  ): Promise<AgentVariables | null> {
    const known = this.#kept.get(versionId);
    if (known?.revision === revision) return known.variables;
    const config = await read();
    if (config === null) return null;
    const variables = agentVariables(config);
    if (this.#kept.size >= KEPT) this.#kept.clear();
    this.#kept.set(versionId, { revision, variables });
    return variables;
  }
}
