/** From `since` on, before `before`. */
export interface Span {
  readonly since: Date;
  readonly before: Date;
}

/** The whole days of a span in a zone, both inclusive and null where it is open, and the parts of days at its ends. */
export interface DaySplit {
  readonly days: { readonly firstDay: string | null; readonly lastDay: string | null };
  readonly edges: readonly Span[];
}

/** Splits a span into whole days of a zone. Null: there is none in it. */
export type SplitByDay = (since: Date | null, before: Date | null, zone: string) => DaySplit | null;
