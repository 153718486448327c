import type { HistoryItem, ToolSpec } from '../../../voice/ports.ts';
import type { Memory } from './memory.ts';
import { words } from './text.ts';

/** "Use tool find_slots." in a script. */
const USES = /^(?:then\s+)?(?:use|call|run|invoke)\s+(?:the\s+)?tool\s+["'`“]?([a-z][a-z0-9_]{0,63})["'`”]?/i;

/** The tool a sentence of a script names; null for any other sentence. */
export const toolNamed = (sentence: string): string | null =>
  USES.exec(sentence.trim())?.[1]?.toLowerCase() ?? null;

type Parameters = Readonly<Record<string, { type?: string; enum?: readonly string[] }>>;

/**
 * What a tool is called with: each argument takes the caller's answer to the question that names it, else their last
 * answer, else their last words.
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
      const wanted = new Set(words(name.replaceAll('_', ' ')));
      const named = memory.slots.findLast(({ label }) => words(label).some((word) => wanted.has(word)));
      const text = (named ?? memory.slots.at(-1))?.value ?? lastWords;
      const value = ofType(type, text);
      const fits = value !== null && (allowed === undefined || allowed.includes(String(value)));
      return fits ? [[name, value]] : [];
    }),
  );
}

function ofType(type: string | undefined, text: string): string | number | boolean | null {
  if (type === 'boolean') return /^(?:yes|true|1)\b/i.test(text);
  if (type !== 'number' && type !== 'integer') return text === '' ? null : text;
  const found = /-?\d+(?:\.\d+)?/.exec(text)?.[0];
  return found === undefined ? null : Number(found);
}

/** Results that have come since the memory was made. */
export const resultsSince = (history: readonly HistoryItem[], seen: number) =>
  history.flatMap((item) => (item.role === 'tool' ? [item] : [])).slice(seen);

export const countResults = (history: readonly HistoryItem[]): number =>
  history.filter((item) => item.role === 'tool').length;

/** Variables that tools set during the call. */
export const findingsOf = (tools: readonly ToolSpec[]): string[] => [
  ...new Set(tools.flatMap((tool) => tool.sets ?? [])),
];

/** The place of such a variable in a text: signs that reading a script leaves alone. */
const PLACE = /⟪(\d{1,3})⟫/g;

export const markPlaces = (text: string, names: readonly string[]): string =>
  text.replaceAll(/@?\{\{\s*([^{}\n]+?)\s*\}\}/g, (whole, name: string) => {
    const at = names.indexOf(name);
    return at === -1 ? whole : `⟪${at}⟫`;
  });

/** Puts in what tools found out; a sentence for which nothing was found is not said. */
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

/** A tool that could not do what it is for. */
export function hasFailed(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false;
  return 'error' in result || ('status' in result && result.status === 'failed');
}
