/** Turn-taking of a call, who answered it, and its replay: pure, with the time in every event. */
// The turn machine.
export { type TurnState, initialState, step } from './turn/machine.ts';
export { type TurnConfig, turnSettings } from './settings.ts';
export type { Interruption } from './interruption-rules.ts';
export type {
  EndReason,
  Heard,
  KeyRules,
  Recognised,
  StartRule,
  ToolRule,
  TranscriptLine,
  TurnEffect,
  TurnEvent,
  TurnLatency,
  TurnSettings,
} from './turn/types.ts';
export {
  type Ears,
  type Expected,
  type HistoryItem,
  type KeyWait,
  PENDING_RESULT,
  type TtsMark,
} from './turn/ports.ts';
export type { LineSource } from './turn/line-source.ts';
export { NOT_UNDERSTOOD } from './turn/not-understood.ts';
export { hearsOf } from './turn/policies/hearing.ts';
export { phrasesNow } from './turn/policies/wording.ts';

// How long silence lasts before a turn ends: words, a turn model, pitch and pause vote.
export { type Closure, closureOf } from './turn/policies/closure.ts';
export { type EndSound, type EndWeights, type VotedWords } from './turn/policies/end-vote.ts';
export { END_WEIGHTS } from './turn/policies/end-weights.ts';
export { ENGLISH_OPEN_ENDINGS } from './turn/policies/open-endings.ts';
export { type TurnWaits, turnWait } from './turn/policies/turn-wait.ts';
export { Said } from './turn/said.ts';
export { waitingForKeys } from './turn/tools.ts';

// Keys, and those that no record may hold.
export { expectsHiddenKeys, hidesKeys, maskedKey } from './turn/keypad.ts';
export { HIDDEN_KEYS, hiddenEntry } from './turn/hidden-keys.ts';

// Voice activity to edges of speech; echo and voices in the background.
export {
  GATE_SETTINGS,
  type GateEdge,
  type GateSettings,
  type GateState,
  initialGate,
  stepGate,
} from './turn/speech-gate.ts';
export { CallerFilter, createEchoGuard, isEcho, sentFrame } from './hearing/caller-filter.ts';

// Who answered an outbound call.
export {
  type AnswerEffect,
  type AnswerEvent,
  type AnswerSettings,
  type AnswerState,
  initialAnswer,
  leftAs,
  listenAgain,
  stepAnswer,
} from './answer/answer.ts';
export {
  ANSWERED_KINDS,
  ANSWER_REASONS,
  type AnswerReason,
  type AnsweredBy,
  type AnsweredKind,
} from './answer/answered-by.ts';
export { type MusicDetector, createMusicDetector, stepMusic } from './answer/music-detector.ts';
export { SPECIAL_NUMBER_BELOW_HZ, networkTone } from './answer/network-tones.ts';
export { type ToneDetector, createToneDetector, stepTone } from './answer/tone-detector.ts';

// Recorded events, and the decisions that they lead to.
export {
  type EventLog,
  type LogHeader,
  readLog,
  startOf,
  writeEntry,
  writeHeader,
  writeLog,
} from './replay/event-log.ts';
export { type Difference, differenceOf, firstDifference, replay } from './replay/replay.ts';
export { decisionOf } from './replay/decision.ts';
export { maskWords } from './replay/mask-words.ts';
export { TimeLine, type TimeLineEntry } from './replay/time-line.ts';

// Text as it is spoken: sentences of a stream, and the words that were heard of one.
export { NO_TEXT, joinText, pushText, restOfText } from './sentences.ts';
export { lastWordOf, splitHeard } from './turn/heard.ts';
export { normalised, wordsOf } from './turn/words.ts';
export { wordEnds } from './word-ends.ts';
