import type { AnsweredBy, AnsweredKind, AnswerReason } from './answered-by.ts';

/** One step through a phone menu: keys, or the words of the option to choose. */
export type MenuStep = { readonly keys: string } | { readonly option: string };

/** Settings of machine detection. */
export interface AnswerSettings {
  /** Message for a mailbox; null: hang up. */
  readonly message: string | null;
  /** Introduction for a screening service: who calls and why. */
  readonly introduction: string;
  /** The way through a phone menu, from the agent's task; empty or absent: the agent talks to the menu. */
  readonly menu?: readonly MenuStep[];
}

export type AnswerEvent =
  | { readonly type: 'tick'; readonly at: number }
  /** Edges of the far side's speech; `since` is when the sound began or ended. */
  | { readonly type: 'speech_started'; readonly since: number; readonly at: number }
  | { readonly type: 'speech_stopped'; readonly since: number; readonly at: number }
  /** A steady tone has ended, or has sounded for a second (`goesOn`). */
  | {
      readonly type: 'tone';
      readonly hz: number;
      readonly ms: number;
      readonly goesOn?: true;
      readonly at: number;
    }
  /** There is music on the line. */
  | { readonly type: 'music'; readonly at: number }
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
  /** Press keys for a phone menu. */
  | { readonly type: 'press'; readonly digits: string }
  /** Leave this message and hang up. */
  | { readonly type: 'leave'; readonly say: string }
  | {
      readonly type: 'end';
      readonly reason: 'VOICEMAIL_DETECTED' | 'CALL_SCREENED' | 'NOT_ABLE_TO_CALL' | 'USER_BECAME_IDLE';
    };

export interface AnswerState {
  readonly settings: AnswerSettings;
  readonly answeredAt: number;
  /** Start of the listening: the answer, or the time of a transfer by the far side. */
  readonly since: number;
  /** Null: not decided yet. */
  readonly answered: AnsweredBy | null;
  readonly phase: 'listening' | 'screening' | 'menu' | 'waiting' | 'recording' | 'settled';
  /** Start of the current sound. */
  readonly speakingSince: number | null;
  readonly quietSince: number;
  /** Speech of one speaker without a longer pause, up to the last end. */
  readonly monologueMs: number;
  /** The last sound, and whether its words are pending. */
  readonly lastSpeechMs: number;
  readonly unread: boolean;
  /** The last final words, which may continue. */
  readonly said: string;
  /** Tones of the call's start that may belong together. */
  readonly tones: readonly { readonly hz: number; readonly at: number }[];
  /** When the agent's speech last ended. */
  readonly spokenAt: number | null;
  /** How often the far side spoke after the agent fell silent: turns of a conversation. */
  readonly exchanges: number;
  /** Screening: when to introduce ourselves; sentences said; sounds since without known words. */
  readonly introduceAt: number | null;
  readonly introduced: number;
  readonly unknownSounds: number;
  /** Steps of the menu taken so far. */
  readonly menuSteps: number;
  /** Deadline of the phase, and when the message starts. */
  readonly until: number;
  readonly leaveAt: number | null;
}

export interface Step {
  readonly state: AnswerState;
  readonly effects: readonly AnswerEffect[];
}
export const stay = (state: AnswerState): Step => ({ state, effects: [] });

/** A mailbox sounds its tone within this. */
export const LISTEN_MS = 30_000;
/** A longer pause starts a new monologue. */
const PAUSE_MS = 1_500;
const TURN_GAP_MS = 2_000;

export const initialAnswer = (settings: AnswerSettings, at: number): AnswerState => ({
  settings,
  answeredAt: at,
  since: at,
  answered: null,
  phase: 'listening',
  speakingSince: null,
  quietSince: at,
  monologueMs: 0,
  lastSpeechMs: 0,
  unread: false,
  said: '',
  tones: [],
  spokenAt: null,
  exchanges: 0,
  introduceAt: null,
  introduced: 0,
  unknownSounds: 0,
  menuSteps: 0,
  until: at + LISTEN_MS,
  leaveAt: null,
});

/** Restarts detection at `at`: another person or machine may answer now. */
export const listenAgain = (state: AnswerState, at: number): AnswerState => ({
  ...initialAnswer(state.settings, at),
  answeredAt: state.answeredAt,
  answered: state.answered,
});

/** Sets who answered. The time of the first decision is kept. */
export function decide(
  state: AnswerState,
  kind: AnsweredKind,
  confidence: number,
  reasons: readonly AnswerReason[],
  at: number,
): AnswerState {
  const before = state.answered;
  if (before?.kind === kind && before.confidence >= confidence) return state;
  const ms = Math.max(0, Math.round(at - state.answeredAt));
  const answered: AnsweredBy = {
    kind,
    confidence,
    decidedMs: before?.decidedMs ?? ms,
    revisedMs: before === null || before.kind === kind ? (before?.revisedMs ?? null) : ms,
    reasons,
  };
  return { ...state, answered };
}

/** Keeps track of who speaks and for how long. */
export function note(state: AnswerState, event: AnswerEvent): AnswerState {
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
        said: pauseMs > PAUSE_MS ? '' : state.said,
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
    case 'music':
    case 'words':
      return state;
    default:
      return event satisfies never;
  }
}
