import type { Condition } from '../script.ts';

/** What a caller can want at any point of a call. */
export type Intent =
  | 'stop_calling'
  | 'goodbye'
  | 'robot'
  | 'who'
  | 'why'
  | 'human'
  | 'repeat'
  | 'hold'
  | 'later'
  | 'not_interested'
  | 'wrong_person'
  | 'thanks'
  | 'hello'
  | 'what';

export type SlotKind = 'date' | 'time' | 'number' | 'digits' | 'name';

/** Phrases the engine says; several are variants, taken in turn. `{…}` places are filled. */
export interface Lines {
  greeting: readonly string[];
  acknowledge: readonly string[];
  who: readonly string[];
  whyDefault: readonly string[];
  robot: readonly string[];
  human: readonly string[];
  connecting: readonly string[];
  hold: readonly string[];
  hello: readonly string[];
  welcome: readonly string[];
  notUnderstood: readonly string[];
  followUp: readonly string[];
  verify: readonly string[];
  readBack: readonly string[];
  changeWhat: readonly string[];
  anythingElse: readonly string[];
  howHelp: readonly string[];
  goOn: readonly string[];
  askCallback: readonly string[];
  callbackNoted: readonly string[];
  notInterested: readonly string[];
  optOut: readonly string[];
  wrongPerson: readonly string[];
  goodbye: readonly string[];
  keypadOnly: readonly string[];
  pressYesNo: readonly string[];
  pressChoice: readonly string[];
  pressDay: readonly string[];
  pressHour: readonly string[];
  pressNumber: readonly string[];
}

/** One language of the engine: what it says and what it recognises in typed or recognised text. */
export interface Wording extends LanguageData {
  readsBranch(sentence: string): { when: Condition; body: string } | null;
}

export interface LanguageData {
  /** For weekday and month names (Intl). */
  locale: string;
  say: Lines;
  ask: Readonly<Record<SlotKind | 'free', string>>;
  yes: readonly string[];
  no: readonly string[];
  hears: Readonly<Partial<Record<Intent, readonly string[]>>>;
  questionWords: readonly string[];
  today: readonly string[];
  tomorrow: readonly string[];
  dayAfterTomorrow: readonly string[];
  /** Number words by value, as far as listed. */
  numbers: readonly (readonly [string, number])[];
  timeWords: readonly string[];
  /** Marker verbs of instructions in this language, in `normal` form. */
  instructions: { ask: readonly string[]; tell: readonly string[]; close: readonly string[] };
  /** Third person to second, where an instruction's content is said to the caller. */
  address?: readonly (readonly [string, string])[];
  /** Words that tell what an instruction asks for, and what a question asks for. */
  slotWords: Readonly<Record<SlotKind, readonly string[]>>;
  slotQuestions: Readonly<Record<SlotKind, readonly string[]>>;
  conditions: readonly string[];
  otherwise: readonly string[];
}
