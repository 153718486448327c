import type { KeypadPhrases, PhraseTable, SlotKind } from '@callwright/language';
import type { QuestionData } from './answer/question-data.ts';
import type { CommandForms } from './command-forms.ts';
import ar from './phrases/ar.json' with { type: 'json' };
import bn from './phrases/bn.json' with { type: 'json' };
import en from './phrases/en.json' with { type: 'json' };
import gu from './phrases/gu.json' with { type: 'json' };
import hi from './phrases/hi.json' with { type: 'json' };
import kn from './phrases/kn.json' with { type: 'json' };
import mr from './phrases/mr.json' with { type: 'json' };
import ms from './phrases/ms.json' with { type: 'json' };
import my from './phrases/my.json' with { type: 'json' };
import or from './phrases/or.json' with { type: 'json' };
import pa from './phrases/pa.json' with { type: 'json' };
import ta from './phrases/ta.json' with { type: 'json' };
import te from './phrases/te.json' with { type: 'json' };
import zh from './phrases/zh.json' with { type: 'json' };

/** What the keyless script brain says, and how it reads instructions written in the language. */
export interface ScriptPhrases {
  readonly say: Lines;
  /** Questions for what an instruction asks for without giving its wording. */
  readonly ask: Readonly<Record<SlotKind | 'free', string>>;
  /** Marker verbs of instructions, in `normal` form. */
  readonly instructions: {
    readonly ask: readonly string[];
    readonly tell: readonly string[];
    readonly close: readonly string[];
  };
  /** Third person to second: instructions speak about the caller, the agent speaks to the caller. */
  readonly address: readonly (readonly [RegExp, string])[];
  /** Words in an instruction that name the kind of answer to ask for. */
  readonly slotWords: Readonly<Record<SlotKind, readonly string[]>>;
  readonly conditions: readonly string[];
  readonly otherwise: readonly string[];
  /** How callers ask, and what sentences that answer hold. */
  readonly questions: QuestionData;
}

/** Lines of the script brain; several are variants used in rotation. `{…}` places are filled. */
export interface Lines extends Readonly<Record<keyof KeypadPhrases, readonly string[]>> {
  readonly greeting: readonly string[];
  readonly acknowledge: readonly string[];
  readonly who: readonly string[];
  readonly whyDefault: readonly string[];
  /** The caller asks what an answer is needed for, and the prompt does not say. */
  readonly whyAsked: readonly string[];
  readonly robot: readonly string[];
  /** The caller asks for a person, and there is none to connect. */
  readonly noPerson: readonly string[];
  readonly connecting: readonly string[];
  readonly hold: readonly string[];
  readonly hello: readonly string[];
  readonly welcome: readonly string[];
  readonly notUnderstood: readonly string[];
  /** A question without an answer. No engine may promise what nothing does: no call back, no follow-up. */
  readonly cannotAnswer: readonly string[];
  /** A question that several statements may answer ("how much is it?"). */
  readonly clarify: readonly string[];
  readonly verify: readonly string[];
  readonly readBack: readonly string[];
  readonly changeWhat: readonly string[];
  readonly anythingElse: readonly string[];
  readonly howHelp: readonly string[];
  readonly goOn: readonly string[];
  readonly askCallback: readonly string[];
  /** The service refused the callback that the caller asked for. */
  readonly noCallback: readonly string[];
  readonly callbackNoted: readonly string[];
  readonly notInterested: readonly string[];
  readonly optOut: readonly string[];
  readonly wrongPerson: readonly string[];
  readonly goodbye: readonly string[];
}

/** A language's file: one row is one phrase. */
export interface ScriptData extends Omit<ScriptPhrases, 'say' | 'address'> {
  readonly say: Omit<Lines, keyof KeypadPhrases>;
  /** The second person for each third person, which is a pattern of whole words. */
  readonly address: Readonly<Record<string, string>>;
  /** Null in English, whose scripts are read by rules. */
  readonly commands: CommandForms | null;
}

/** By the `locale` of the phrase tables. */
export const SCRIPT_DATA: Readonly<Record<string, ScriptData>> = {
  ar,
  bn,
  en,
  gu,
  hi,
  kn,
  mr,
  ms,
  my,
  or,
  pa,
  ta,
  te,
  zh,
};

const addressOf = (address: ScriptData['address']): ScriptPhrases['address'] =>
  Object.entries(address).map(([third, second]) => [new RegExp(`(^|\\s)${third}(?=\\s|$)`, 'gu'), second]);

const ADDRESS = new Map(
  Object.entries(SCRIPT_DATA).map(([locale, { address }]) => [locale, addressOf(address)]),
);

/** The phrases of a language, with those of its phrase table for the keypad. */
export function scriptPhrasesOf({ locale, keypad }: PhraseTable): ScriptPhrases {
  const data = SCRIPT_DATA[locale];
  if (data === undefined) throw new Error(`no script phrases in ${locale}`);
  const { ask, instructions, slotWords, conditions, otherwise, questions } = data;
  return {
    say: {
      ...data.say,
      keypadOnly: [keypad.keypadOnly],
      pressYesNo: [keypad.pressYesNo],
      pressChoice: [keypad.pressChoice],
      pressDay: [keypad.pressDay],
      pressHour: [keypad.pressHour],
      pressNumber: [keypad.pressNumber],
    },
    ask,
    instructions,
    slotWords,
    conditions,
    otherwise,
    questions,
    address: ADDRESS.get(locale) ?? [],
  };
}
