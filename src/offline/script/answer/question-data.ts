/** How callers ask in one language, and what sentences that answer hold. One row is one phrase. */
export interface QuestionData {
  /** Words that say little about what is asked. */
  readonly light: readonly string[];
  /** How a question asks for a price, a time, a place, a duration, a way to reach somebody, an amount, or a person. */
  readonly kinds: Kinds;
  /** What a sentence holds that names one, beside digits and times. */
  readonly shows: Kinds;
  /** Each row: words with the same meaning, with commas between them. */
  readonly alike: readonly string[];
}

type Kinds = Readonly<
  Record<'price' | 'time' | 'place' | 'duration' | 'contact' | 'amount' | 'person', readonly string[]>
>;
