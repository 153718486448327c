import { type HistoryItem, hiddenEntry } from '@callwright/turns';
import type { ToolSpec } from '../../providers/ports/model.ts';
import type { Memory } from './memory.ts';
import { words } from '@callwright/language';
import { VARIABLE } from '../../shared/variables.ts';

/** Matches "Use tool find_slots." in a script. */
const USES = /^(?:then\s+)?(?:use|call|run|invoke)\s+(?:the\s+)?tool\s+["'`“]?([a-z][a-z0-9_]{0,63})["'`”]?/i;

/** The tool a sentence of a script names; null for any other sentence. */
export const toolNamed = (sentence: string): string | null =>
  USES.exec(sentence.trim())?.[1]?.toLowerCase() ?? null;

type Parameters = Readonly<Record<string, { type?: string; enum?: readonly string[] }>>;

/**
 * The arguments of a tool call: for each one the answer to the question that names it, else the last answer, else the
 * caller's last line.
 */
export function argumentsFor(
  tool: ToolSpec,
  memory: Memory,
  history: readonly HistoryItem[],
): Record<string, unknown> {
  const properties = (tool.parameters['properties'] ?? {}) as Parameters;
  const last = history.findLast((item) => item.role === 'caller');
  const lastWords = last?.role === 'caller' ? last.text : '';
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { type, enum: allowed }]) => {
      const hidden = tool.sensitive?.includes(name) === true ? hiddenFor(name, memory, history) : null;
      if (hidden !== null) return [[name, hidden]];
      const nameWords = new Set(words(name.replaceAll('_', ' ')));
      const named = memory.slots.findLast(({ label }) => words(label).some((word) => nameWords.has(word)));
      const text = (named ?? memory.slots.at(-1))?.value ?? lastWords;
      const value = ofType(type, text);
      const fits = value !== null && (allowed === undefined || allowed.includes(String(value)));
      return fits ? [[name, value]] : [];
    }),
  );
}

/** Whether a text names a parameter: every word of `card_number`. */
function namesParameter(text: string, parameter: string): boolean {
  const found = new Set(words(text.replaceAll('_', ' ')));
  return words(parameter.replaceAll('_', ' ')).every((word) => found.has(word));
}

/** The question whose answer goes to a sensitive parameter of a tool: its keys are hidden. */
export const asksForSensitive = (question: string, tools: Iterable<ToolSpec>): boolean =>
  [...tools].some((tool) => tool.sensitive?.some((name) => namesParameter(question, name)) === true);

/**
 * What stands for the hidden keys that a parameter gets: the answer to the question or tool that names it, else the last
 * hidden entry; null without any.
 */
function hiddenFor(name: string, memory: Memory, history: readonly HistoryItem[]): string | null {
  const answers = memory.slots.map(({ label, value }) => ({ label, value }));
  const waits = history.flatMap((item) => {
    const digits = item.role === 'tool' ? (item.result as { digits?: unknown } | null)?.digits : undefined;
    return item.role === 'tool' && typeof digits === 'string' ? [{ label: item.name, value: digits }] : [];
  });
  const hidden = [...answers, ...waits].filter(({ value }) => hiddenEntry(value) !== null);
  const named = hidden.findLast(({ label }) => namesParameter(label, name));
  const latest = [...hidden].sort((a, b) => (hiddenEntry(a.value) ?? 0) - (hiddenEntry(b.value) ?? 0)).at(-1);
  return (named ?? latest)?.value ?? null;
}

function ofType(type: string | undefined, text: string): string | number | boolean | null {
  if (type === 'boolean') return /^(?:yes|true|1)\b/i.test(text);
  if (type !== 'number' && type !== 'integer') return text === '' ? null : text;
  const found = /-?\d+(?:\.\d+)?/.exec(text)?.[0];
  return found === undefined ? null : Number(found);
}

/** Tool results newer than the memory. */
export const resultsSince = (history: readonly HistoryItem[], seen: number) =>
  history.flatMap((item) => (item.role === 'tool' ? [item] : [])).slice(seen);

export const countResults = (history: readonly HistoryItem[]): number =>
  history.filter((item) => item.role === 'tool').length;

/** Variables that tools set during the call. */
export const findingsOf = (tools: readonly ToolSpec[]): string[] => [
  ...new Set(tools.flatMap((tool) => tool.sets ?? [])),
];

/** A placeholder for such a variable; the script parser leaves these characters alone. */
const PLACE = /⟪(\d{1,3})⟫/g;

export const markPlaces = (text: string, names: readonly string[]): string =>
  text.replaceAll(VARIABLE, (whole, name: string) => {
    const at = names.indexOf(name);
    return at === -1 ? whole : `⟪${at}⟫`;
  });

/** Fills in variables set by tools; drops a sentence whose variable has no value. */
export function withFindings(
  sentences: readonly string[],
  names: readonly string[],
  history: readonly HistoryItem[],
): string[] {
  const found = new Map(
    history.flatMap((item) => (item.role === 'tool' ? Object.entries(item.variables ?? {}) : [])),
  );
  const nameAt = (at: string): string => names[Number(at)] ?? '';
  return sentences.flatMap((sentence) => {
    const missing = [...sentence.matchAll(PLACE)].some(([, at = '']) => !found.has(nameAt(at)));
    return missing ? [] : [sentence.replaceAll(PLACE, (_whole, at: string) => found.get(nameAt(at)) ?? '')];
  });
}

/** Whether a tool result reports a failure. */
export function hasFailed(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false;
  return (
    'error' in result || ('status' in result && (result.status === 'failed' || result.status === 'refused'))
  );
}
