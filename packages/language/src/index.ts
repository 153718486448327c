/** What people say on the phone, in 14 written languages: pure functions over phrase tables. */

// The languages, and which of two a text is in.
export { LANGUAGES, type Language, isEnglish, isLanguage } from './languages.ts';
export { languageOf } from './language-of.ts';

// Phrase tables: what people say in one language, and what an agent says.
export { conversationPhrases, phrasesOf } from './phrases.ts';
export type { Intent, KeypadPhrases, PhraseTable, SlotKind } from './phrases/phrase-table.ts';

// What a line means: an intent, a question, an answer, an opt-out.
export { asksSomething, intentOf } from './intents.ts';
export { asideIn } from './asides.ts';
export { type CallerLine, type Understood, polarity, understand } from './answers.ts';
export { bareAnswer, takesBack } from './bare-answer.ts';
export { isOptOutWord } from './opt-out-words.ts';
export { optOutKey, optOutKeyOf, type OptOutSense, optOutSense } from './opt-out.ts';

// What a question asks for, and how to answer it by keys.
export {
  type AnswerKind,
  choicesOf,
  expectedAnswer,
  isGoodTime,
  isIdentity,
  nounKind,
} from './question-kind.ts';
export { expectedOfLine, isHeardByPhrases, isUnrecognisable } from './expected-line.ts';
export { isOpenQuestion } from './open-questions.ts';
export { keypadOffer } from './keypad-offer.ts';

// Numbers and letters in words.
export { digitsIn, numberIn } from './numbers.ts';
export { type DictationSoFar, dictatedSoFar, digitsWanted } from './dictation.ts';

// Days and times in words, and the instants that they mean in a time zone.
export { type Moment, dayAndTime, momentIn, readTime } from './time/spoken-time.ts';
export { fromNowIn } from './time/native-time.ts';
export { resolveDate, resolveTime } from './time/resolve-time.ts';
export { changeOn, instantsOf, isValidZone, isoIn, localTime, offsetAt } from './time/time-zone.ts';
export { boundsOfDay, dayAt, dayNumber, dayText, startOfDayNumber } from './time/zone-days.ts';

// Text as a voice reads it: amounts, dates, times and identifiers in words.
export { readAloud } from './spoken/read-aloud.ts';

// Machines that answer calls, and menus of keys.
export { MACHINE_PHRASES, machineKind, speakerCue } from './answering-machine.ts';
export { chosenKey, menuSteps } from './phone-menu.ts';

// Text in `normal` form, and phrases in it.
export { hasPhrase, inOrder, normal, sentences, words } from './text.ts';
export { beginsWith, endsWith, holds } from './word-forms.ts';
