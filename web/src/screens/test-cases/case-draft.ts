import type { Answer, Input } from '../../api/client.ts';
import { linesOf } from '../../ui/lines.ts';
import { fromPairs, pairsOf, type Pair } from '../../ui/pairs.ts';
import { t } from '../../words/words.ts';

export type TestCase = Answer<'listTestCases'>['test_cases'][number];
export type Definition = Required<Omit<Input<'createTestCase'>, 'agent_id' | 'call_id' | 'chat_id'>>;
type Expectation = Definition['expectations'][number];
type ToolResult = Definition['tool_results'][number];

export type ExpectationType = Expectation['type'];
export type CaseEnd = Extract<Expectation, { type: 'ends' }>['as'][number];

/** How a conversation may end, in words. */
export const ENDS: Readonly<Record<CaseEnd, string>> = {
  AGENT_ENDED: 'The assistant hangs up',
  CALL_TRANSFERRED: 'It transfers the caller',
  OPTED_OUT: 'It opts the caller out',
  OPEN: 'It goes on',
};

/** An expectation as a form holds it: the fields of every type, so that changing the type loses nothing. */
export interface ExpectationDraft {
  readonly type: ExpectationType;
  /** One phrase a line. */
  readonly phrases: string;
  readonly tool: string;
  /** JSON; empty: any arguments. */
  readonly args: string;
  /** Empty: anywhere. */
  readonly turn: string;
  readonly ends: readonly CaseEnd[];
  readonly criterion: string;
}
/** The answer of a tool as a form holds it. */
export interface ResultDraft {
  readonly tool: string;
  /** JSON; empty: for every call. */
  readonly args: string;
  readonly ok: boolean;
  /** JSON, or text that is none. */
  readonly result: string;
  readonly variables: readonly Pair[];
}
export interface CaseDraft {
  readonly name: string;
  /** One line of the caller each. */
  readonly lines: string;
  readonly variables: readonly Pair[];
  readonly expectations: readonly ExpectationDraft[];
  readonly results: readonly ResultDraft[];
}

export const newExpectation = (type: ExpectationType): ExpectationDraft => ({
  type,
  phrases: '',
  tool: '',
  args: '',
  turn: '',
  ends: ['AGENT_ENDED'],
  criterion: '',
});
export const NEW_RESULT: ResultDraft = { tool: '', args: '', ok: true, result: '', variables: [] };

/** A form of a stored case, or of one that is proposed. */
export const draftOf = (of: Definition): CaseDraft => ({
  name: of.name,
  lines: of.lines.join('\n'),
  variables: pairsOf(of.custom_args_values),
  expectations: of.expectations.map(expectationDraft),
  results: of.tool_results.map((each) => ({
    tool: each.tool,
    args: jsonOf(each.arguments),
    ok: each.ok ?? true,
    result: typeof each.result === 'string' ? each.result : JSON.stringify(each.result, null, 2),
    variables: pairsOf(each.variables ?? {}),
  })),
});

const jsonOf = (args: Record<string, unknown> | undefined): string =>
  args === undefined ? '' : JSON.stringify(args);

function expectationDraft(of: Expectation): ExpectationDraft {
  const draft = newExpectation(of.type);
  switch (of.type) {
    case 'ends':
      return { ...draft, ends: of.as };
    case 'criterion':
      return { ...draft, criterion: of.criterion };
    case 'says':
    case 'never_says':
      return { ...draft, phrases: of.any_of.join('\n'), turn: String(of.turn ?? '') };
    case 'calls_tool':
    case 'never_calls_tool':
      return { ...draft, tool: of.tool, args: jsonOf(of.arguments), turn: String(of.turn ?? '') };
    default:
      return of satisfies never;
  }
}

/** What the form sends, or what is missing in it, in words. */
export function definitionOf(draft: CaseDraft): { definition: Definition } | { problem: string } {
  const lines = linesOf(draft.lines);
  if (draft.name.trim() === '') return { problem: t('Give the case a name.') };
  const expectations: Expectation[] = [];
  for (const [at, each] of draft.expectations.entries()) {
    const made = expectationOf(each, lines.length);
    if (typeof made === 'string') return { problem: t('Expectation {at} {made}', { at: at + 1, made }) };
    expectations.push(made);
  }
  const results: ToolResult[] = [];
  for (const [at, each] of draft.results.entries()) {
    const args = argumentsOf(each.args);
    if (each.tool.trim() === '')
      return { problem: t('Answer {at} needs the name of a tool.', { at: at + 1 }) };
    if (args === null)
      return { problem: t('Answer {at} needs arguments as a JSON object, or none.', { at: at + 1 }) };
    const variables = fromPairs(each.variables);
    results.push({
      tool: each.tool.trim(),
      ...(args === undefined ? {} : { arguments: args }),
      ok: each.ok,
      result: valueOf(each.result),
      ...(Object.keys(variables).length === 0 ? {} : { variables }),
    });
  }
  const definition = {
    name: draft.name.trim(),
    lines,
    custom_args_values: fromPairs(draft.variables),
    expectations,
    tool_results: results,
  };
  return { definition };
}

/** The expectation, or what is wrong with it. */
function expectationOf(draft: ExpectationDraft, lines: number): Expectation | string {
  const turn = draft.turn === '' ? {} : { turn: Number(draft.turn) };
  const { type } = draft;
  if (type === 'ends')
    return draft.ends.length === 0 ? t('needs a way to end.') : { type, as: [...draft.ends] };
  if (type === 'criterion') {
    const criterion = draft.criterion.trim();
    return criterion === '' ? t('needs its words.') : { type, criterion };
  }
  if (draft.turn !== '' && Number(draft.turn) > lines)
    return t('names line {turn}, which there is not.', { turn: draft.turn });
  if (type === 'says' || type === 'never_says') {
    const phrases = linesOf(draft.phrases);
    return phrases.length === 0 ? t('needs words.') : { type, any_of: phrases, ...turn };
  }
  const args = argumentsOf(draft.args);
  if (draft.tool.trim() === '') return t('needs the name of a tool.');
  if (args === null) return t('needs arguments as a JSON object, or none.');
  return {
    type,
    tool: draft.tool.trim(),
    ...(args === undefined ? {} : { arguments: args }),
    ...turn,
  };
}

/** Undefined for an empty text; null for one that is no JSON object. */
function argumentsOf(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return undefined;
  const value = valueOf(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The value of a JSON text; another text is a value itself. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
