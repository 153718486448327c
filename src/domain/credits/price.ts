/** The price of talk time. One credit is 1,000,000 micro-credits; all amounts are integer micro-credits. */
export interface Rate {
  readonly creditsPerMinute: number;
  readonly pulseSeconds: number;
}

/** Credits for what is no talk. */
export interface UnitPrices {
  /** A reply of the agent's model in a chat, an agent test or a test run. */
  readonly modelTurn: number;
  /** An ended conversation that a model analyses. */
  readonly analysis: number;
  /** A thousand texts that are embedded: those of a knowledge base, and questions of searches. */
  readonly thousandEmbeddings: number;
  /** A sentence that a vendor's voice speaks as a preview. */
  readonly preview: number;
}

export const FREE: UnitPrices = { modelTurn: 0, analysis: 0, thousandEmbeddings: 0, preview: 0 };

export const MICRO_CREDITS = 1_000_000;

/** Micro-credits per pulse. */
export const pulsePrice = (rate: Rate): number =>
  Math.round((rate.creditsPerMinute * MICRO_CREDITS * rate.pulseSeconds) / 60);

/** The price of a call connected for `durationMs`: every started pulse counts. */
export function priceOf(durationMs: number, rate: Rate): number {
  if (!(durationMs > 0)) return 0;
  return Math.ceil(durationMs / (rate.pulseSeconds * 1000)) * pulsePrice(rate);
}

/** The talk time in ms that `available` micro-credits cover, in whole pulses; Infinity when calls are free. */
export function affordableMs(available: number, rate: Rate): number {
  const price = pulsePrice(rate);
  if (price === 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor(available / price)) * rate.pulseSeconds * 1000;
}

/** The credits to lock for an attempt of at most `maxCallMs`; null when they do not cover one pulse. */
export function lockFor(
  maxCallMs: number,
  available: number,
  rate: Rate,
): { capMs: number; amount: number } | null {
  const capMs = Math.min(maxCallMs, affordableMs(available, rate));
  if (capMs <= 0) return null;
  return { capMs, amount: priceOf(capMs, rate) };
}

/** Credits as the API shows them. */
export const toCredits = (microCredits: number): number => microCredits / MICRO_CREDITS;
/** Micro-credits, rounded to an integer. */
export const toMicroCredits = (credits: number): number => Math.round(credits * MICRO_CREDITS);
