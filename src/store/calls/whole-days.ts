const DAY_MS = 86_400_000;

/** From `since` on, before `before`. */
export interface Span {
  readonly since: Date;
  readonly before: Date;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Splits a span into its whole UTC days, both inclusive and null where the span is open, and the parts of days at its
 * ends. Null: there is no whole day in it.
 */
export function splitByDay(
  since: Date | null,
  before: Date | null,
): { days: { firstDay: string | null; lastDay: string | null }; edges: readonly Span[] } | null {
  const first = since === null ? null : Math.ceil(since.getTime() / DAY_MS) * DAY_MS;
  const end = before === null ? null : Math.floor(before.getTime() / DAY_MS) * DAY_MS;
  if (first !== null && end !== null && first >= end) return null;
  return {
    days: {
      firstDay: first === null ? null : dayOf(first),
      lastDay: end === null ? null : dayOf(end - DAY_MS),
    },
    edges: [
      ...(since === null || first === null || first === since.getTime()
        ? []
        : [{ since, before: new Date(first) }]),
      ...(before === null || end === null || end === before.getTime()
        ? []
        : [{ since: new Date(end), before }]),
    ],
  };
}
