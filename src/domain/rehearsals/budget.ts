import { costOf, type PriceTable } from '../../shared/prices.ts';
import type { AnswerUsage } from '../analysis/model-analyst.ts';
import type { LineRequest } from './caller-lines.ts';

/** Amounts are whole millionths of the price list's currency: a token costs less than a thousandth of a cent. */
export const MICRO = 1_000_000;
export const toMicro = (amount: number): number => Math.round(amount * MICRO);
export const fromMicro = (micro: number): number => micro / MICRO;

export interface Budget {
  /** Null: no limit. */
  readonly most: number | null;
  readonly spent: number;
}

/** What a conversation may ask of a model at most. */
export interface MostAsked {
  readonly lines: number;
  /** Of one request, in UTF-8: a token is at least one. */
  readonly bytes: number;
  /** Of one answer, in tokens. */
  readonly tokens: number;
}

/** Of the schema, and of what vendors put around messages. */
const AROUND_REQUEST = 1_000;

/** The most that a request with so many bytes of instructions and conversation has. */
export const askedWith = (bytes: number, tokens: number): Omit<MostAsked, 'lines'> => ({
  bytes: bytes + AROUND_REQUEST,
  tokens,
});

export const askedBy = ({ system, user, mostTokens }: LineRequest): Omit<MostAsked, 'lines'> =>
  askedWith(Buffer.byteLength(system, 'utf8') + Buffer.byteLength(user, 'utf8'), mostTokens);

/** How many of the next conversations, in order, the budget covers whatever their course; `worst`: what each costs at most. Pure. */
export function covered({ most, spent }: Budget, worst: readonly number[]): number {
  if (most === null) return worst.length;
  let left = most - spent;
  const beyond = worst.findIndex((amount) => {
    left -= amount;
    return left < 0;
  });
  return beyond < 0 ? worst.length : beyond;
}

type Models = readonly { readonly vendor: string; readonly model: string }[];

const tokensOf = (vendor: string, model: string, input: number, cached: number, output: number) =>
  ({
    part: 'llm',
    vendor,
    model,
    audioMs: 0,
    characters: 0,
    inputTokens: input,
    cachedTokens: cached,
    outputTokens: output,
  }) as const;

/** The most that one request may cost, when each of the models is asked because those before it failed; null: one has no price. */
export function worstOfLine(
  prices: PriceTable,
  models: Models,
  { bytes, tokens }: Omit<MostAsked, 'lines'>,
): number | null {
  let sum = 0;
  for (const { vendor, model } of models) {
    const cost = costOf(prices, tokensOf(vendor, model, bytes, 0, tokens));
    if (cost === null) return null;
    sum += Math.ceil(cost * MICRO);
  }
  return sum;
}

/** What an answer cost, at most `worst`, which counts when the vendor reports no tokens. */
export function costOfLine(prices: PriceTable, usage: AnswerUsage | null, worst: number): number {
  if (usage?.inputTokens == null || usage.outputTokens === null) return worst;
  const { vendor, model, inputTokens, cachedTokens, outputTokens } = usage;
  const cost = costOf(prices, tokensOf(vendor, model, inputTokens, cachedTokens ?? 0, outputTokens));
  return Math.min(worst, Math.ceil((cost ?? 0) * MICRO));
}
