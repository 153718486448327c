import type { AnswerKind } from '@callwright/language';

/**
 * A prompt compiled into a small program: steps are addressed by index, every step names its successor, and
 * `END` closes the call. Compiled once per session, read on every reply.
 */
export const END = -1;

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
      /** The name of the answer in read-backs ("preferred day"); empty for none. */
      slot: string;
      /** The question asks for the callee's identity, so "no" means a wrong person. */
      identity: boolean;
      branches: readonly Branch[];
      next: number;
    }
  /** Reads the collected answers back; asks `question` when there are none. */
  | { type: 'confirm'; question: string; branches: readonly Branch[]; next: number }
  | { type: 'callback'; next: number }
  | { type: 'transfer'; next: number }
  /** Continues with the tool's result. */
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
  /** Sentences for "who is this" and "why are you calling"; null when the prompt does not say. */
  who: string | null;
  why: string | null;
  /** What the first message asks; the caller's first line answers it. */
  opening: Opening;
}

export type Opening = 'none' | 'identity' | 'good_time' | 'yes_no' | 'open' | 'step';
