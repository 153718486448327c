/** Who answers an outbound call. `sit`: special information tones of the network. `unsure` is treated as a person. */
export const ANSWERED_KINDS = [
  'human',
  'voicemail',
  'screening',
  'ivr',
  'hold',
  'fax',
  'sit',
  'unsure',
] as const;
export type AnsweredKind = (typeof ANSWERED_KINDS)[number];

/** What a decision about who answered rests on. */
export const ANSWER_REASONS = [
  'words',
  'beep',
  'fax_tone',
  'special_tones',
  'music',
  'short_greeting',
  'long_greeting',
  'takes_turns',
  'silence',
] as const;
export type AnswerReason = (typeof ANSWER_REASONS)[number];

/** Who answered, as judged from tones, timing and words. Times in ms from the answer. */
export interface AnsweredBy {
  readonly kind: AnsweredKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** The first decision. */
  readonly decidedMs: number;
  /** The last change of the kind; null: the first decision stood. */
  readonly revisedMs: number | null;
  readonly reasons: readonly AnswerReason[];
}
