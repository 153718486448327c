/** What lowers the quality of one direction of a call. */
export interface Impairments {
  /** Share of the packets that were not played: lost, or too late. 0 to 1. */
  lostShare: number;
  /** From mouth to ear, in ms. */
  delayMs: number;
}

/** R of G.107 with every parameter at its default: a call without loss and delay. */
const BEST_RATING = 93.2;
/** Robustness of G.711 with the concealment of its Appendix I against random loss (G.113 Appendix I). */
const LOSS_ROBUSTNESS = 25.1;
const MOST_LOSS_IMPAIRMENT = 95;
/** Delay that does not disturb a conversation. */
const FREE_DELAY_MS = 100;

/** Idd of G.107: absolute delay of a line without echo. */
function delayImpairment(delayMs: number): number {
  if (delayMs <= FREE_DELAY_MS) return 0;
  const doublings = Math.log2(delayMs / FREE_DELAY_MS);
  const sixth = (x: number): number => (1 + x ** 6) ** (1 / 6);
  return 25 * (sixth(doublings) - 3 * sixth(doublings / 3) + 2);
}

/**
 * Transmission rating R of the E-model (ITU-T G.107), 0 to 93.2: its defaults with the loss and the delay of a G.711
 * stream. Loss counts as random (BurstR 1), and the line has no echo.
 */
export function ratingOf({ lostShare, delayMs }: Impairments): number {
  const percent = Math.min(1, Math.max(0, lostShare)) * 100;
  const loss = (MOST_LOSS_IMPAIRMENT * percent) / (percent + LOSS_ROBUSTNESS);
  return Math.max(0, BEST_RATING - loss - delayImpairment(delayMs));
}

/** The mean opinion score that users would give a call of this rating (G.107 Annex B), 1 to 4.5. */
export function mosOf(rating: number): number {
  if (rating <= 0) return 1;
  if (rating >= 100) return 4.5;
  return Math.max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6);
}
