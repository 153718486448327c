import { hiddenEntry, type HistoryItem } from '@callwright/turns';
import type { Value } from './expression.ts';

/** Last lines of a summary, the characters of a line and of a value. */
const MOST_LINES = 4;
const LONGEST_LINE = 200;
const MOST_VALUES = 30;

/** A conversation in short, without a model: the values that it has brought, and its last lines. */
export function summaryOf(values: Readonly<Record<string, Value>>, history: readonly HistoryItem[]): string {
  const known = Object.entries(values)
    .filter(([, value]) => value !== '' && value !== null)
    .slice(0, MOST_VALUES)
    .map(([name, value]) => `${name}: ${short(String(value))}`);
  const said = linesOf(history).slice(-MOST_LINES);
  return [
    known.length === 0 ? '' : `Known: ${known.join('; ')}.`,
    said.length === 0 ? 'Nothing was said before.' : `Last said:\n${said.join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Whether the last lines of a summary by rules are all that was said. */
export const isShort = (history: readonly HistoryItem[]): boolean => linesOf(history).length <= MOST_LINES;

/** The words of a conversation, a line each. Sensitive keys are left out. */
export const linesOf = (history: readonly HistoryItem[]): string[] =>
  history.flatMap((item) => {
    if (item.role === 'agent' && item.text !== '') return [`agent: ${short(item.text)}`];
    if (item.role === 'note') return [`note: ${short(item.text)}`];
    if (item.role !== 'caller' || hiddenEntry(item.text) !== null) return [];
    return [`caller: ${short(item.text)}`];
  });

const short = (text: string): string =>
  text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE - 1)}…`;
