/**
 * A prompt compiled into a small program: steps are addressed by index, every step names its successor, and
 * `END` closes the call. Compiled once per session, read on every reply.
 */
export const END = -1;

export type AnswerKind =
  | 'yes_no'
  | 'number'
  | 'digits'
  | 'date'
  | 'time'
  | 'choice'
  | 'name'
  | 'free'
  | 'rest';

/** When a branch is taken: by the answer's polarity, by an intent, or by words of the condition. */
export type Condition =
  | { type: 'yes' }
  | { type: 'no' }
  | { type: 'otherwise' }
  | { type: 'busy' }
  | { type: 'not_interested' }
  | { type: 'wrong_person' }
  | { type: 'words'; words: readonly string[]; negative: boolean };

export interface Branch {
  when: Condition;
  to: number;
}

export type Step =
  | { type: 'say'; text: string; next: number }
  | {
      type: 'ask';
      question: string;
      answer: AnswerKind;
      choices: readonly string[];
      /** What is being asked for, for read-backs ("preferred day"); empty when it has no name. */
      slot: string;
      /** The question names the person on the line: a no means a wrong person. */
      identity: boolean;
      branches: readonly Branch[];
      next: number;
    }
  /** Reads back what was gathered; `question` is asked when nothing was. */
  | { type: 'confirm'; question: string; branches: readonly Branch[]; next: number }
  | { type: 'callback'; next: number }
  | { type: 'transfer'; next: number }
  /** Goes on with what the tool found out. */
  | { type: 'tool'; name: string; next: number }
  | { type: 'close'; text: string };

export interface Faq {
  question: string;
  answer: string;
}

export interface Script {
  steps: readonly Step[];
  /** First step. */
  start: number;
  faqs: readonly Faq[];
  /** Sentences for "who is this" and "why are you calling"; null when the prompt does not tell. */
  who: string | null;
  why: string | null;
  /** What the first message asked, answered by the caller's first line. */
  opening: Opening;
}

export type Opening = 'none' | 'identity' | 'good_time' | 'yes_no' | 'open' | 'step';
