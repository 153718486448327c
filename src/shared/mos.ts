/** Mean opinion scores of one direction of a call. */
interface Scores {
  readonly average: number;
  /** Of the worst interval. */
  readonly lowest: number;
}

/** The mean opinion scores of a call; null: not measured. */
export interface Mos {
  readonly toUs: Scores | null;
  readonly toFarSide: Scores | null;
}
