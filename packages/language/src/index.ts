export { MACHINE_PHRASES, machineKind, speakerCue } from './answering-machine.ts';
export { type CallerLine, type Understood, polarity, understand } from './answers.ts';
export { dictated, digitsWanted } from './dictation.ts';
export { expectedOfLine, isHeardByPhrases, isUnrecognisable } from './expected-line.ts';
export { asksSomething, intentOf } from './intents.ts';
export { keypadOffer } from './keypad-offer.ts';
export { languageOf } from './language-of.ts';
export { LANGUAGES, type Language, isEnglish, isLanguage } from './languages.ts';
export { digitsIn, numberIn } from './numbers.ts';
export { isOpenQuestion } from './open-questions.ts';
export { isOptOutWord } from './opt-out-words.ts';
export { optOutKey, optOutKeyOf, optOutSense } from './opt-out.ts';
export { chosenKey, menuSteps } from './phone-menu.ts';
export { conversationPhrases, phrasesOf } from './phrases.ts';
export type { Intent, KeypadPhrases, PhraseTable, SlotKind } from './phrases/phrase-table.ts';
export {
  type AnswerKind,
  choicesOf,
  expectedAnswer,
  isGoodTime,
  isIdentity,
  nounKind,
} from './question-kind.ts';
export { readAloud } from './spoken/read-aloud.ts';
export { hasPhrase, inOrder, normal, sentences, words } from './text.ts';
export { fromNowIn } from './time/native-time.ts';
export { resolveDate, resolveTime } from './time/resolve-time.ts';
export { type Moment, dayAndTime, momentIn, readTime } from './time/spoken-time.ts';
export { changeOn, instantsOf, isValidZone, isoIn, localTime, offsetAt } from './time/time-zone.ts';
export { beginsWith, endsWith, holds } from './word-forms.ts';
