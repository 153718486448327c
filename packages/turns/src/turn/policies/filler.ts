import type { TurnState } from '../state.ts';

/** Wait for a tool or the model before one of the agent's filler phrases. */
export const FILLER_AFTER_MS = 900;

/** Draws the filler phrase for this wait, or null. Deterministic: derived from the answer time and the reply id. */
export function drawFiller({ settings, call, nextReplyId }: TurnState): string | null {
  const { phrases = [], probability = 0 } = settings.fillers ?? {};
  if (phrases.length === 0 || call.phase !== 'talking') return null;
  let x = Math.imul(Math.trunc(call.answeredAt) ^ (nextReplyId * 0x9e3779b1), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  const drawn = ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  return drawn < probability ? (phrases[(x >>> 7) % phrases.length] ?? null) : null;
}
