import type { Language } from '@callwright/language';
import {
  captureOf,
  nodesOf,
  type Flow,
  type FlowNode,
  type FlowVariable,
  type GlobalNode,
} from '../document.ts';
import { allVariables } from '../check/uses.ts';
import { Expressions, type Value, type Values } from '../expression.ts';
import { wordingOf, type FlowWording } from '../wording.ts';
import type { Wanted } from '../capture/capture.ts';

/** What a flow runs with; constant during a conversation. */
export interface FlowProgram {
  readonly flow: Flow;
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly global: readonly GlobalNode[];
  readonly variables: ReadonlyMap<string, FlowVariable>;
  readonly expressions: Expressions;
  /** Values that the agent's variables have, as texts. */
  readonly ofAgent: Readonly<Record<string, string>>;
  readonly wording: FlowWording;
  readonly agentName: string;
  /** Of the days that callers name. */
  readonly zone: string;
  /** Names of the tools that can run, with their parameters and the types of these. */
  readonly tools: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Whether other agents may go on with the conversation. */
  readonly handsOver: boolean;
  /** Whether the conversation goes back to another agent at its end. */
  readonly givesBack: boolean;
  /** Whether a model judges `when`; else examples do. */
  readonly hasModel: boolean;
  /** Whether the keys of an answer can be hidden: not where answers are typed. */
  readonly hidesKeys: boolean;
}

export interface ProgramParts {
  readonly agentName: string;
  readonly language: Language;
  readonly zone: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly tools: FlowProgram['tools'];
  readonly handsOver: boolean;
  readonly givesBack: boolean;
  readonly hasModel: boolean;
  readonly hidesKeys: boolean;
}

/** Prepares a checked flow for one conversation. */
export function program(flow: Flow, { language, variables: ofAgent, ...parts }: ProgramParts): FlowProgram {
  return {
    ...parts,
    flow,
    ofAgent,
    nodes: new Map(nodesOf(flow).map((node) => [node.id, node])),
    global: flow.global ?? [],
    variables: new Map((flow.variables ?? []).map((variable) => [variable.name, variable])),
    expressions: new Expressions(allVariables(flow, Object.keys(ofAgent))),
    wording: wordingOf(language),
  };
}

/** The values at the start: those of the document, and those that the call brought for variables of the flow. */
export function firstValues({ variables, ofAgent }: FlowProgram): Values {
  const values: Record<string, Value> = {};
  for (const variable of variables.values()) {
    const brought = ofAgent[variable.name];
    const value = (brought === undefined ? null : coerced(variable, brought)) ?? variable.value;
    if (value !== undefined) values[variable.name] = value;
  }
  return values;
}

const FORMS = {
  date: /^\d{4}-\d\d-\d\d(?=$|T)/,
  time: /^(?:[01]\d|2[0-3]):[0-5]\d/,
  date_time: /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d/,
} as const;

/** A value as one of a variable's type; null: it is none. */
export function coerced({ type, values = [] }: FlowVariable, value: Value): Value | null {
  const text = String(value).trim();
  switch (type) {
    case 'text':
      return text === '' ? null : text.slice(0, 1000);
    case 'number':
      return text !== '' && typeof value !== 'boolean' && Number.isFinite(Number(text)) ? Number(text) : null;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return /^(?:true|yes|1)$/i.test(text) ? true : /^(?:false|no|0)$/i.test(text) ? false : null;
    case 'choice':
      return values.find((each) => each.toLowerCase() === text.toLowerCase()) ?? null;
    case 'date':
    case 'time':
    case 'date_time':
      break;
  }
  return FORMS[type].exec(text)?.[0] ?? null;
}

/** Values as expressions read them. */
export const forExpressions = ({ ofAgent }: FlowProgram, values: Values): Values => ({
  ...ofAgent,
  ...values,
});

/** Values as texts speak them; sensitive ones are left out. */
export function forSpeech(
  { ofAgent, variables, wording }: FlowProgram,
  values: Values,
): Record<string, string> {
  const spoken: Record<string, string> = { ...ofAgent };
  for (const { name, sensitive } of variables.values()) {
    delete spoken[name];
    const value = values[name];
    if (value === undefined || sensitive === true) continue;
    const { yes, no } = wording.table;
    spoken[name] = typeof value === 'boolean' ? ((value ? yes : no)[0] ?? '') : String(value);
  }
  return spoken;
}

/** What a node that waits for the caller wants; null: the node waits for nobody. */
export function wantedOf({ variables }: FlowProgram, node: FlowNode): Wanted | null {
  if (node.type === 'choose')
    return { kind: 'choice', values: node.answers.map(({ name }) => name), digits: null, isSensitive: false };
  if (node.type !== 'collect') return null;
  const variable = variables.get(node.variable);
  return {
    kind: captureOf(node, variable),
    values: variable?.values ?? [],
    digits: node.digits ?? null,
    isSensitive: variable?.sensitive === true,
  };
}
