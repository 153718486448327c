import { machineKind } from '../../language/answering-machine.ts';

/** Settings of machine detection. */
export interface AnswerSettings {
  /** Message for a mailbox; null: hang up. */
  readonly message: string | null;
  /** Introduction for a screening service: who calls and why. */
  readonly introduction: string;
}

export type AnswerEvent =
  | { readonly type: 'tick'; readonly at: number }
  /** Edges of the far side's speech; `since` is when the sound began or ended. */
  | { readonly type: 'speech_started'; readonly since: number; readonly at: number }
  | { readonly type: 'speech_stopped'; readonly since: number; readonly at: number }
  /** A steady tone has ended. */
  | { readonly type: 'tone'; readonly ms: number; readonly at: number }
  | { readonly type: 'words'; readonly text: string; readonly isFinal: boolean; readonly at: number }
  /** The agent's speech has ended. */
  | { readonly type: 'spoken'; readonly at: number };

export type AnswerEffect =
  /** Stop speaking and ignore speech: a machine answered. */
  | { readonly type: 'hush'; readonly before: 'machine' | 'screening' }
  /** Introduce the caller to a screening service. */
  | { readonly type: 'introduce'; readonly say: string }
  /** A person took the call: restart the conversation. */
  | { readonly type: 'person' }
  /** Leave this message and hang up. */
  | { readonly type: 'leave'; readonly say: string }
  | { readonly type: 'end'; readonly reason: 'VOICEMAIL_DETECTED' | 'CALL_SCREENED' };

/** `uncertain` is treated as a person. */
export type Verdict = 'uncertain' | 'human' | 'ivr' | 'voicemail' | 'screening';

export interface AnswerState {
  readonly settings: AnswerSettings;
  readonly answeredAt: number;
  readonly verdict: Verdict;
  readonly phase: 'listening' | 'screening' | 'recording' | 'settled';
  /** Start of the current sound. */
  readonly speakingSince: number | null;
  readonly quietSince: number;
  /** Speech of one speaker without a longer pause, up to the last end. */
  readonly monologueMs: number;
  /** The last sound, and whether its words are pending. */
  readonly lastSpeechMs: number;
  readonly unread: boolean;
  /** When the agent's speech last ended. */
  readonly spokenAt: number | null;
  /** How often the far side spoke after the agent fell silent: turns of a conversation. */
  readonly exchanges: number;
  /** Screening: when to introduce ourselves; sentences said; sounds since without known words. */
  readonly introduceAt: number | null;
  readonly introduced: number;
  readonly unknownSounds: number;
  /** Deadline of the phase, and when the message starts. */
  readonly until: number;
  readonly leaveAt: number | null;
}

/** A mailbox sounds its tone within this. */
const LISTEN_MS = 30_000;
/** A longer pause starts a new monologue. */
const PAUSE_MS = 1_500;
/** Minimum length of a greeting before a beep; a person's hello is shorter. */
const GREETING_MS = 1_500;
/** From the end of the greeting to its beep. */
const BEEP_GAP_MS = 2_500;
/** Longer tones are ringing or a modem. */
const LONGEST_BEEP_MS = 1_100;
/** Two turns taken one after the other are a conversation. */
const CONVERSATION = 2;
const TURN_GAP_MS = 2_000;
/** Silence after which the question is over. */
const QUESTION_END_MS = 500;
const LONGEST_QUESTION_MS = 6_000;
const MOST_INTRODUCTIONS = 2;
/** A person answers their screened phone within this. */
const PICK_UP_MS = 35_000;
/** Limit from a sound to its words. */
const WORDS_MS = 1_600;
/** Shorter sound is a person's hello; one longer sound is the service's thanks. */
const HELLO_MS = 1_200;
/** A greeting without a tone is over after this silence. */
const GREETING_END_MS = 3_000;
const RECORD_BY_MS = 30_000;
const AFTER_BEEP_MS = 400;

export const initialAnswer = (settings: AnswerSettings, at: number): AnswerState => ({
  settings,
  answeredAt: at,
  verdict: 'uncertain',
  phase: 'listening',
  speakingSince: null,
  quietSince: at,
  monologueMs: 0,
  lastSpeechMs: 0,
  unread: false,
  spokenAt: null,
  exchanges: 0,
  introduceAt: null,
  introduced: 0,
  unknownSounds: 0,
  until: at + LISTEN_MS,
  leaveAt: null,
});

interface Step {
  readonly state: AnswerState;
  readonly effects: readonly AnswerEffect[];
}
const stay = (state: AnswerState): Step => ({ state, effects: [] });

/**
 * Distinguishes machines from people by their words and tones, never by the length of a greeting alone; in doubt the
 * verdict is a person. Pure; the time is in the event.
 */
export function stepAnswer(state: AnswerState, event: AnswerEvent): Step {
  if (state.phase === 'settled') return stay(state);
  const noted = note(state, event);
  switch (noted.phase) {
    case 'listening':
      return listening(noted, event);
    case 'screening':
      return screening(noted, event);
    case 'recording':
      return recording(noted, event);
    case 'settled':
      return stay(noted);
    default:
      return noted.phase satisfies never;
  }
}

/** End reason for a hangup by the far side now. */
export function leftAs(state: AnswerState): 'USER_LEFT' | 'VOICEMAIL_DETECTED' | 'CALL_SCREENED' {
  if (state.verdict === 'voicemail') return 'VOICEMAIL_DETECTED';
  return state.phase === 'screening' ? 'CALL_SCREENED' : 'USER_LEFT';
}

function note(state: AnswerState, event: AnswerEvent): AnswerState {
  switch (event.type) {
    case 'speech_started': {
      const pauseMs = event.since - state.quietSince;
      const { spokenAt } = state;
      const answers =
        spokenAt !== null && spokenAt >= state.quietSince && event.since - spokenAt <= TURN_GAP_MS;
      return {
        ...state,
        speakingSince: event.since,
        monologueMs: pauseMs > PAUSE_MS ? 0 : state.monologueMs,
        exchanges: state.exchanges + (answers && pauseMs > PAUSE_MS / 2 ? 1 : 0),
      };
    }
    case 'speech_stopped': {
      const ms = state.speakingSince === null ? 0 : Math.max(0, event.since - state.speakingSince);
      return {
        ...state,
        speakingSince: null,
        quietSince: event.since,
        monologueMs: state.monologueMs + ms,
        lastSpeechMs: ms,
        unread: true,
      };
    }
    case 'spoken':
      return { ...state, spokenAt: event.at };
    case 'tick':
    case 'tone':
    case 'words':
      return state;
    default:
      return event satisfies never;
  }
}

function listening(state: AnswerState, event: AnswerEvent): Step {
  if (event.type === 'words') {
    const kind = machineKind(event.text);
    if (kind === 'voicemail' || kind === 'full') return machine(state, event.at, kind === 'full');
    if (kind === 'screening') return screened(state, event.at);
    if (kind === 'menu' || (kind === 'waiting' && event.text.includes(' ')))
      return stay({ ...state, verdict: 'ivr' });
  }
  if (event.type === 'tone' && state.verdict !== 'ivr' && isBeep(state, event)) {
    return machine({ ...state, leaveAt: event.at + AFTER_BEEP_MS }, event.at, false);
  }
  if (state.exchanges >= CONVERSATION || event.at >= state.until) {
    const verdict = state.verdict === 'uncertain' ? 'human' : state.verdict;
    return stay({ ...state, verdict, phase: 'settled' });
  }
  return stay(state);
}

/** A tone right after a greeting. The speech gate may have taken the tone itself for speech. */
function isBeep(state: AnswerState, event: { readonly ms: number; readonly at: number }): boolean {
  const began = event.at - event.ms;
  const underWay = state.speakingSince === null ? 0 : Math.max(0, began - state.speakingSince);
  const quietMs = state.speakingSince === null ? began - state.quietSince : 0;
  return event.ms <= LONGEST_BEEP_MS && state.monologueMs + underWay >= GREETING_MS && quietMs <= BEEP_GAP_MS;
}

function machine(state: AnswerState, at: number, isFull: boolean): Step {
  const { message } = state.settings;
  const found: AnswerState = { ...state, verdict: 'voicemail' };
  if (message === null || isFull) {
    return {
      state: { ...found, phase: 'settled' },
      effects: [
        { type: 'hush', before: 'machine' },
        { type: 'end', reason: 'VOICEMAIL_DETECTED' },
      ],
    };
  }
  return {
    state: { ...found, phase: 'recording', until: at + RECORD_BY_MS },
    effects: [{ type: 'hush', before: 'machine' }],
  };
}

function screened(state: AnswerState, at: number): Step {
  const introduceAt = at + LONGEST_QUESTION_MS;
  return {
    state: { ...state, verdict: 'screening', phase: 'screening', introduceAt, until: at + PICK_UP_MS },
    effects: [{ type: 'hush', before: 'screening' }],
  };
}

function screening(state: AnswerState, event: AnswerEvent): Step {
  const { at } = event;
  if (event.type === 'words') return screeningWords(state, event);
  if (event.type === 'tone' && isBeep(state, event)) {
    return machine({ ...state, leaveAt: at + AFTER_BEEP_MS }, at, false);
  }
  if (state.introduceAt !== null) {
    const isQuestionOver = state.speakingSince === null && at - state.quietSince >= QUESTION_END_MS;
    if (!isQuestionOver && at < state.introduceAt) return stay(state);
    return {
      state: {
        ...state,
        introduceAt: null,
        introduced: state.introduced + 1,
        spokenAt: null,
        monologueMs: 0,
        unread: false,
        unknownSounds: 0,
        until: at + PICK_UP_MS,
      },
      effects: [{ type: 'introduce', say: state.settings.introduction }],
    };
  }
  if (at >= state.until) {
    return {
      state: { ...state, phase: 'settled' },
      effects: [{ type: 'end', reason: 'CALL_SCREENED' }],
    };
  }
  const isOver = state.unread && state.speakingSince === null && at - state.quietSince >= WORDS_MS;
  return isOver && state.spokenAt !== null ? unknownSound(state) : stay(state);
}

function screeningWords(state: AnswerState, event: Extract<AnswerEvent, { type: 'words' }>): Step {
  const kind = machineKind(event.text);
  const read: AnswerState = { ...state, unread: event.isFinal ? false : state.unread };
  if (kind === 'voicemail' || kind === 'full') return machine(read, event.at, kind === 'full');
  if (state.introduceAt !== null) return stay(read);
  if (kind === 'screening' && state.introduced < MOST_INTRODUCTIONS) {
    return stay({ ...read, introduceAt: event.at + LONGEST_QUESTION_MS });
  }
  if (kind !== null || state.spokenAt === null || !event.isFinal) return stay(read);
  return person(read);
}

/** Sound without recognised words after our introduction. */
function unknownSound(state: AnswerState): Step {
  const unknownSounds = state.unknownSounds + 1;
  const heard = { ...state, unread: false, unknownSounds };
  return state.lastSpeechMs <= HELLO_MS || unknownSounds > 1 ? person(heard) : stay(heard);
}

const person = (state: AnswerState): Step => ({
  state: { ...state, verdict: 'human', phase: 'settled' },
  effects: [{ type: 'person' }],
});

function recording(state: AnswerState, event: AnswerEvent): Step {
  const { at } = event;
  if (event.type === 'words' && machineKind(event.text) === 'full') return machine(state, at, true);
  if (event.type === 'tone' && event.ms <= LONGEST_BEEP_MS) {
    return stay({ ...state, leaveAt: at + AFTER_BEEP_MS });
  }
  const isQuiet = state.speakingSince === null && at - state.quietSince >= GREETING_END_MS;
  const isTime = state.leaveAt !== null && at >= state.leaveAt;
  if (!isTime && !isQuiet && at < state.until) return stay(state);
  return {
    state: { ...state, phase: 'settled' },
    effects: [{ type: 'leave', say: state.settings.message ?? '' }],
  };
}
