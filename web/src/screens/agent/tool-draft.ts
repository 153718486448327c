import type { Input } from '../../api/client.ts';
import { t } from '../../words/words.ts';
import type { Version } from './types.ts';
import { fromPairs, pairsOf, type Pair } from '../../ui/pairs.ts';

/** The lists of tools: when they run. */
export const PHASES = ['pre_call', 'on_call', 'post_call'] as const;
export type Phase = (typeof PHASES)[number];
export type Tool = Readonly<Record<string, unknown>>;
export const toolsOf = (version: Version, phase: Phase): readonly Tool[] => version[`${phase}_tools`];
export type ToolType =
  | 'API_TOOL'
  | 'MCP_SERVER'
  | 'CALL_TRANSFER_TOOL'
  | 'DTMF_TOOL'
  | 'WAIT_FOR_DTMF_TOOL'
  | OwnType;
type OwnType = 'END_CALL_TOOL' | 'OPT_OUT_TOOL' | 'SCHEDULE_CALLBACK_TOOL' | 'RECORDING_TOOL';

export const TYPE_NAMES: Readonly<Record<ToolType, string>> = {
  API_TOOL: 'Request to a server',
  MCP_SERVER: 'MCP server',
  CALL_TRANSFER_TOOL: 'Transfer the call',
  DTMF_TOOL: 'Press keys',
  WAIT_FOR_DTMF_TOOL: 'Wait for keys of the caller',
  END_CALL_TOOL: 'When to end the call',
  OPT_OUT_TOOL: 'When to never call again',
  SCHEDULE_CALLBACK_TOOL: 'When to schedule a callback',
  RECORDING_TOOL: 'Pause the recording',
};

export const PLACES = ['path_params', 'query', 'body'] as const;
export type Place = (typeof PLACES)[number];
export const SOURCES = { fixed: 'Fixed value', variable: 'Variable', argument: 'The model decides' } as const;
export type Source = keyof typeof SOURCES;
export const ARGUMENT_TYPES = ['string', 'number', 'integer', 'boolean'] as const;
export type ArgumentType = (typeof ARGUMENT_TYPES)[number];

/** One value of a request, as the form holds it. */
export interface Parameter {
  readonly place: Place;
  readonly key: string;
  readonly source: Source;
  /** The fixed text, the variable, or what the model should provide. */
  readonly value: string;
  readonly type: ArgumentType;
  readonly isRequired: boolean;
  readonly isSensitive: boolean;
  /** The value as it is stored; an unchanged parameter is sent back whole. */
  readonly stored: unknown;
}

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

export function parametersOf(tool: Tool): readonly Parameter[] {
  return PLACES.flatMap((place) =>
    Object.entries((tool[place] as Record<string, unknown> | undefined) ?? {}).map(
      ([key, stored]): Parameter => {
        const inner = (typeof stored === 'object' && stored !== null ? stored : {}) as Tool;
        const source =
          inner['source'] === 'argument' || inner['source'] === 'variable' ? inner['source'] : 'fixed';
        const text =
          source === 'fixed' ? stored : source === 'variable' ? inner['name'] : inner['description'];
        return {
          place,
          key,
          source,
          value: plain(text),
          type: (inner['type'] as ArgumentType | undefined) ?? 'string',
          isRequired: inner['required'] !== false,
          isSensitive: inner['sensitive'] === true,
          stored,
        };
      },
    ),
  );
}

function valueOf(parameter: Parameter): unknown {
  const { source, value, type, isRequired, isSensitive, stored } = parameter;
  if (source === 'variable') return { source, name: value };
  // A number or boolean that was not changed stays one.
  if (source === 'fixed') return plain(stored) === value ? stored : value;
  const before = typeof stored === 'object' && stored !== null ? (stored as Tool) : {};
  return {
    source,
    type,
    ...(before['name'] === undefined ? {} : { name: before['name'] }),
    ...(before['enum'] === undefined ? {} : { enum: before['enum'] }),
    ...(value === '' ? {} : { description: value }),
    ...(isRequired ? {} : { required: false }),
    ...(isSensitive ? { sensitive: true } : {}),
  };
}

/** What the form of a request holds. */
export interface RequestDraft {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly url: string;
  readonly bodyFormat: string;
  readonly timeout: string;
  readonly onFailure: string;
  readonly headers: readonly Pair[];
  readonly parameters: readonly Parameter[];
  readonly results: readonly Pair[];
}

/** A field of a tool as text; empty for what is none. */
export const textOf = (tool: Tool, key: string): string => plain(tool[key]);

export const requestDraft = (tool: Tool): RequestDraft => ({
  name: textOf(tool, 'name'),
  description: textOf(tool, 'description'),
  method: textOf(tool, 'method') || 'GET',
  url: textOf(tool, 'url'),
  bodyFormat: textOf(tool, 'body_format') || 'json',
  timeout: textOf(tool, 'timeout_seconds'),
  onFailure: textOf(tool, 'on_failure') || 'continue',
  headers: pairsOf((tool['headers'] as Record<string, string> | undefined) ?? {}),
  parameters: parametersOf(tool),
  results: pairsOf((tool['result_variables'] as Record<string, string> | undefined) ?? {}),
});

/** The tool that the form of a request describes. */
export function requestTool(draft: RequestDraft, phase: Phase): Tool {
  const places = PLACES.flatMap((place) => {
    const inside = draft.parameters.filter((each) => each.place === place && each.key.trim() !== '');
    const values = Object.fromEntries(inside.map((each) => [each.key.trim(), valueOf(each)]));
    return inside.length === 0 ? [] : [[place, values] as const];
  });
  const headers = fromPairs(draft.headers);
  const results = fromPairs(draft.results);
  const hasBody = places.some(([place]) => place === 'body');
  return {
    type: 'API_TOOL',
    name: draft.name.trim(),
    ...(draft.description === '' ? {} : { description: draft.description }),
    method: draft.method,
    url: draft.url.trim(),
    ...Object.fromEntries(places),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(hasBody && draft.bodyFormat === 'form' ? { body_format: 'form' } : {}),
    ...(draft.timeout === '' ? {} : { timeout_seconds: Number(draft.timeout) }),
    ...(phase === 'post_call' || Object.keys(results).length === 0 ? {} : { result_variables: results }),
    ...(phase === 'pre_call' && draft.onFailure === 'fail_call' ? { on_failure: 'fail_call' } : {}),
  };
}

/** The request that replaces one list of tools. Masked values in it keep what is stored. */
export function toolsEdit(phase: Phase, tools: readonly Tool[]) {
  const operation = `edit_${phase}_tools`;
  return { operation, [`${phase}_tools`]: tools } as unknown as Extract<
    Input<'editAgent'>,
    { operation: 'edit_pre_call_tools' | 'edit_on_call_tools' | 'edit_post_call_tools' }
  >;
}

/** The tool's name in lists. */
export const toolTitle = (tool: Tool): string =>
  textOf(tool, 'name') || t(TYPE_NAMES[tool['type'] as ToolType]);
