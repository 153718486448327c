import { PENDING_RESULT, type HistoryItem } from './ports.ts';
import type { ToolCall } from './reply-state.ts';
import type { TurnState } from './state.ts';

/** JSON with the keys of objects in order, so that equal arguments have equal texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/** FNV-1a over UTF-16 units, in two halves of 32 bits with different offsets. */
function hash(text: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Equal for the same tool with the same arguments in the same turn, else different: the call's idempotency key. */
export const toolKey = ({ name, args }: Pick<ToolCall, 'name' | 'args'>, turn: number): string =>
  `${turn}-${hash(`${name}\n${canonical(args)}`)}`;

/** Pending tool calls as history items, for a request made before their results arrive. */
export const pendingItems = ({ tools }: TurnState): HistoryItem[] =>
  tools.pending
    .filter(({ keys }) => keys === null)
    .map(({ name, args, key }) => ({ role: 'tool', name, args, result: PENDING_RESULT, key }));
