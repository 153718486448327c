import type { TurnState } from '../state.ts';
import { phrasesNow } from './wording.ts';

/** Wait for a tool before one of the agent's filler phrases. */
export const FILLER_AFTER_MS = 900;

/**
 * Draws one of the agent's filler phrases for this wait, never the last one again; null: none is drawn. Deterministic:
 * derived from the answer time and the reply id.
 */
export function drawFiller({ settings, call, nextReplyId, lastFiller }: TurnState): string | null {
  const { phrases = [], probability = 0 } = settings.fillers ?? {};
  if (phrases.length === 0 || call.phase !== 'talking') return null;
  let x = Math.imul(Math.trunc(call.answeredAt) ^ (nextReplyId * 0x9e3779b1), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  const drawn = ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  return drawn < probability ? otherThan(lastFiller, phrases, x >>> 7) : null;
}

/** The turn machine's own phrase for a wait, never the last one again. */
export function momentNow(state: TurnState): string {
  const { oneMoment, otherMoments = [] } = phrasesNow(state);
  const list = [oneMoment, ...otherMoments];
  const after = list.indexOf(state.lastFiller ?? '') + 1;
  return list[after % list.length] ?? oneMoment;
}

/** The phrase at this place of the list, or the next one when it was the last said; null without another one. */
function otherThan(last: string | null, phrases: readonly string[], place: number): string | null {
  const from = place % phrases.length;
  const turned = [...phrases.slice(from), ...phrases.slice(0, from)];
  return turned.find((text) => text !== last) ?? null;
}
