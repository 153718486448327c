import type { Language } from '../languages.ts';
import type { SpokenData } from '../spoken/spoken-words.ts';
import type {
  ConversationPhrases,
  DayPart,
  Intent,
  KeypadPhrases,
  MachineKind,
  OpenQuestionWords,
  SlotKind,
} from './phrase-table.ts';
import ar from './ar.json' with { type: 'json' };
import bn from './bn.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import gu from './gu.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import kn from './kn.json' with { type: 'json' };
import mr from './mr.json' with { type: 'json' };
import ms from './ms.json' with { type: 'json' };
import my from './my.json' with { type: 'json' };
import or from './or.json' with { type: 'json' };
import pa from './pa.json' with { type: 'json' };
import ta from './ta.json' with { type: 'json' };
import te from './te.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

type Rows = readonly string[];

/**
 * A language's file: one row is one phrase, or one alternative of a pattern. phrases.ts makes a phrase table of it. JSON,
 * because Node reads the 14 files in a few milliseconds; YAML would take over a hundred in every thread.
 */
export interface PhraseData extends Omit<ConversationPhrases, 'phrases'> {
  readonly locale: string;
  /** What the conversation core says. */
  readonly says: ConversationPhrases['phrases'];
  readonly keypad: KeypadPhrases;
  readonly yes: Rows;
  readonly no: Rows;
  readonly unsure: Rows;
  readonly intents: Readonly<Partial<Record<Intent, Rows>>>;
  readonly questionWords: Rows;
  readonly openQuestions: OpenQuestionWords;
  readonly slotQuestions: Readonly<Record<SlotKind, Rows>>;
  /** The value of each number word. */
  readonly numbers: Readonly<Record<string, number>>;
  readonly time: {
    readonly today: Rows;
    readonly tomorrow: Rows;
    readonly dayAfterTomorrow: Rows;
    readonly partNames: Rows;
    readonly partStems: Readonly<Partial<Record<DayPart, Rows>>>;
    /** Patterns; empty in English, which is read by rules. */
    readonly fromNow: { readonly after: Rows; readonly hour: Rows; readonly minute: Rows };
  };
  /** Patterns of what machines say, and of what a machine says only if the line has no words of a person. */
  readonly machines: Readonly<Record<MachineKind, Rows>>;
  readonly voicemailUnlessPerson: Rows;
  /** Patterns of lines that begin as those of an exchange that puts the call through: a person greets first. */
  readonly exchange: Rows;
  /** Patterns of what only a person says; a line loses at most one match of each group. */
  readonly people: readonly Rows[];
  readonly spoken: SpokenData;
}

/** The file of each written language, by its ISO 639 code. */
export const PHRASE_DATA = { en, hi, ta, te, bn, mr, kn, gu, pa, or, ms, zh, my, ar } satisfies Record<
  string,
  PhraseData
>;
export type WrittenLanguage = keyof typeof PHRASE_DATA;

/** The written language of each language. */
export const WRITTEN: Readonly<Record<Language, WrittenLanguage>> = {
  'en-US': 'en',
  'en-GB': 'en',
  'en-AU': 'en',
  'en-IN': 'en',
  'hi-IN': 'hi',
  'ta-IN': 'ta',
  'te-IN': 'te',
  'bn-IN': 'bn',
  'mr-IN': 'mr',
  'kn-IN': 'kn',
  'gu-IN': 'gu',
  'pa-IN': 'pa',
  'od-IN': 'or',
  'ms-MY': 'ms',
  'zh-CN': 'zh',
  'my-MM': 'my',
  'ar-AE': 'ar',
};
