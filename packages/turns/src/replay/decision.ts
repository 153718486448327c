import type { HistoryItem } from '../turn/ports.ts';
import type { TurnEffect } from '../turn/types.ts';

/**
 * The effects of one event in short: their types, and a hash of their content. Values that the turn machine only passes
 * on are left out: memory, arguments and results of tools, and sensitive keys, none of which the log has in full.
 */
export function decisionOf(effects: readonly TurnEffect[]): string {
  if (effects.length === 0) return '';
  const hash = effects.reduce((sum, effect) => mix(sum, contentOf(effect)), SEED);
  return `${typesOf(effects).join(' ')} ${hash.toString(36)}`;
}

const typesOf = (effects: readonly TurnEffect[]): string[] => effects.map(({ type }) => type);

/** The types of a decision's effects, without the hash. */
export const effectsOf = (decision: string): string[] => decision.split(' ').slice(0, -1);

function contentOf(effect: TurnEffect): string {
  if (effect.type === 'generate') {
    const { replyId, speculative, history } = effect;
    return JSON.stringify([replyId, speculative, history.reduce((sum, item) => hashOf(item, sum), SEED)]);
  }
  if (effect.type === 'tool') return JSON.stringify([effect.replyId, effect.id, effect.name]);
  return effect.type === 'hidden_keys' ? String(effect.entry) : JSON.stringify(effect);
}

/** Hashes of history items, which never change: each request repeats those before it. */
const known = new WeakMap<HistoryItem, number>();

function hashOf(item: HistoryItem, sum: number): number {
  const before = known.get(item);
  const hash = before ?? mix(SEED, JSON.stringify(item.role === 'tool' ? [item.role, item.name] : item));
  if (before === undefined) known.set(item, hash);
  return mix(sum, String(hash));
}

/** FNV-1a over UTF-16 units. */
const SEED = 0x811c9dc5;
function mix(sum: number, text: string): number {
  let hash = sum;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
