/** Instants from `from` up to `to`, epoch ms; null: without a bound. */
export interface DayPage {
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * Splits all instants into `count` pages, so that those between the bounds lie in pages of equal length. Every instant is in
 * one page alone, also one outside the bounds. Pure.
 */
export function pagesOf(span: { readonly first: number; readonly last: number }, count: number): DayPage[] {
  const length = (span.last - span.first) / count;
  const inner = Array.from({ length: count - 1 }, (_, at) => Math.round(span.first + length * (at + 1)));
  const cuts = [...new Set(inner)];
  return [null, ...cuts].map((from, at) => ({ from, to: cuts[at] ?? null }));
}
