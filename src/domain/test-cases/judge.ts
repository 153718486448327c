import type { ToolUse } from '../../store/json/chat.ts';
import type { Expectation, PlayedTurn, Verdict } from '../../store/json/test-case.ts';
import { hasPhrase, normal } from '@callwright/language';
import { matchesArguments } from './matches-arguments.ts';
import type { CaseResult } from './test-case.ts';

/** A conversation of a test case. */
export interface Played {
  readonly turns: readonly PlayedTurn[];
  /** Null: the agent has not ended it. */
  readonly end: string | null;
}
type Words = Extract<Expectation, { anyOf: unknown }>;
type ToolCalls = Extract<Expectation, { tool: unknown }>;
type Ends = Extract<Expectation, { as: unknown }>;

/** More than the longest reply. */
const MOST_CHARS = 10_000;
const MOST_QUOTE = 200;

/**
 * Judges the expectations that need no understanding, in order; null for a criterion. Pure. An expectation of a turn
 * that did not take place does not hold, also where it forbids something: the conversation went another way.
 */
export const judgeByRules = (
  expectations: readonly Expectation[],
  played: Played,
): readonly (Verdict | null)[] => expectations.map((each) => judge(each, played));

/** The result of a case from the verdicts on its expectations. */
export function resultOf(verdicts: readonly Verdict[]): CaseResult {
  if (verdicts.some(({ result }) => result === 'not_held')) return 'failed';
  return verdicts.some(({ result }) => result === 'not_judged') ? 'not_judged' : 'passed';
}

function judge(expectation: Expectation, played: Played): Verdict | null {
  switch (expectation.type) {
    case 'criterion':
      return null;
    case 'ends':
      return judgeEnd(expectation, played);
    case 'says':
    case 'never_says':
      return atTurn(expectation, played, (turns) => judgeWords(expectation, turns));
    case 'calls_tool':
    case 'never_calls_tool':
      return atTurn(expectation, played, (turns) => judgeTools(expectation, turns));
    default:
      return expectation satisfies never;
  }
}

const verdict = (holds: boolean, reason: string): Verdict => ({
  result: holds ? 'held' : 'not_held',
  reason,
});

function atTurn(
  { turn }: { readonly turn?: number },
  { turns, end }: Played,
  judgeTurns: (turns: readonly PlayedTurn[]) => Verdict,
): Verdict {
  if (turn === undefined) return judgeTurns(turns);
  const at = turns[turn];
  if (at !== undefined) return judgeTurns([at]);
  const ended = end === null ? '' : `, because it ended as ${end}`;
  return verdict(false, `The conversation had no turn ${turn}${ended}.`);
}

function judgeEnd({ as }: Ends, { end }: Played): Verdict {
  const actual = end ?? 'OPEN';
  const reason = end === null ? 'The agent did not end the conversation.' : `It ended as ${end}.`;
  return verdict(
    as.some((code) => code === actual),
    reason,
  );
}

function judgeWords({ type, anyOf: phrases }: Words, turns: readonly PlayedTurn[]): Verdict {
  const isWanted = type === 'says';
  const wanted = phrases.map((phrase) => [phrase, comparable(phrase)] as const);
  for (const said of turns.flatMap((turn) => turn.said)) {
    const text = comparable(said);
    const found = wanted.find(([phrase, form]) =>
      form === '' ? said.includes(phrase) : hasPhrase(text, form),
    );
    if (found !== undefined) return verdict(isWanted, `The agent said “${found[0]}”: ${clipped(said)}`);
  }
  return verdict(!isWanted, `The agent did not say ${listed(phrases)}.`);
}

function judgeTools({ type, tool, arguments: expected }: ToolCalls, turns: readonly PlayedTurn[]): Verdict {
  const isWanted = type === 'calls_tool';
  const calls = turns.flatMap((turn) => turn.tools).filter(({ name }) => name === tool);
  const match = calls.find(({ args }) => matchesArguments(expected, args));
  if (match !== undefined) return verdict(isWanted, `The agent called ${shown(match)}.`);
  const [other] = calls;
  const reason =
    other === undefined
      ? `The agent did not call ${tool}.`
      : `The agent called ${calls.map(shown).slice(0, 3).join(', then ')}.`;
  return verdict(!isWanted, reason);
}

/** Digits without separators of thousands, so that “4,000” and “4000” are the same. */
const comparable = (text: string): string => normal(text.replaceAll(/(\d),(?=\d)/g, '$1'), MOST_CHARS);

const listed = (phrases: readonly string[]): string => phrases.map((phrase) => `“${phrase}”`).join(' or ');
const shown = ({ name, args }: ToolUse): string => `${name} with ${clipped(JSON.stringify(args))}`;
const clipped = (text: string): string =>
  text.length <= MOST_QUOTE ? text : `${text.slice(0, MOST_QUOTE - 1)}…`;
