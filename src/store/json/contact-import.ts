/** One reason to refuse a row, and the column it is about. */
export interface RowProblem {
  /** From 1; the header is not counted. */
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
  /** A likely correction. */
  readonly suggestion: string | null;
}

/** Counts of refused rows by reason. */
export interface RefusedCounts {
  readonly invalid: number;
  readonly duplicate: number;
  readonly doNotCall: number;
}

export interface ImportReport {
  readonly encoding: string;
  readonly delimiter: string;
  /** Absent in reports that an earlier version stored. */
  readonly refused?: RefusedCounts;
  /** Accepted contacts by the time zones that their numbers may be in, joined by `|`; absent as above. */
  readonly zones?: Readonly<Record<string, number>>;
  /** Problems of the first hundred refused rows. */
  readonly invalidRows: readonly RowProblem[];
}
