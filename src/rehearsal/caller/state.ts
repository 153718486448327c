import type { Language } from '@callwright/language';
import type { CallerAnswer, CallerPersona } from '../scenario/document.ts';

/** What a caller of one call is like. */
export interface CallerSettings {
  readonly persona: CallerPersona;
  readonly language: Language;
  readonly seed: number;
}

/** What a caller hears and notices. Times are ms of the call. */
export type CallerEvent =
  /** A sentence of the agent begins; it lasts `ms` if nobody cuts it off. */
  | { readonly type: 'agent_started'; readonly text: string; readonly ms: number; readonly at: number }
  | { readonly type: 'agent_ended'; readonly isCut: boolean; readonly at: number }
  /** The caller's own words have ended. */
  | { readonly type: 'spoke'; readonly at: number }
  /** A time that the caller asked for has come. */
  | { readonly type: 'due'; readonly timer: number; readonly at: number };

export type SpeechKind = 'turn' | 'interruption' | 'backchannel' | 'wait';

/** How a caller says its next words, by its habits. */
export type Manner = 'changes_mind' | 'spells';

export type CallerAct =
  /**
   * `pieces`: words with the pause before each, ms. `manners`: a model words it in this way, and `pieces` stand in when it does not;
   * absent: the rules do.
   */
  | {
      readonly type: 'say';
      readonly kind: SpeechKind;
      readonly pieces: readonly Piece[];
      readonly manners?: readonly Manner[];
    }
  | { readonly type: 'wake'; readonly timer: number; readonly afterMs: number }
  | { readonly type: 'hang_up' };

export interface Piece {
  readonly text: string;
  readonly pauseMs: number;
}

/** What the caller is going to do at the time that it waits for. */
type Plan =
  | { readonly type: 'think' }
  | { readonly type: 'give_up_waiting' }
  | {
      readonly type: 'say';
      readonly kind: SpeechKind;
      readonly pieces: readonly Piece[];
      readonly isTurn: boolean;
      readonly manners?: readonly Manner[];
    }
  | { readonly type: 'hang_up' };

export interface CallerState {
  readonly settings: CallerSettings;
  /** Of the agent since the caller's last turn. */
  readonly heard: readonly string[];
  readonly isAgentSpeaking: boolean;
  readonly isSpeaking: boolean;
  /** Turns taken, and sentences of the agent begun. */
  readonly turns: number;
  readonly sentences: number;
  /** What the caller was asked before it did something else; null: nothing is owed. */
  readonly owed: string | null;
  /** The answers that the caller has given. */
  readonly answered: readonly CallerAnswer[];
  /** The next time that counts, and what happens then; an older one is void. */
  readonly timer: number;
  readonly plan: Plan | null;
  /** The agent's sentence into which the caller will speak. */
  readonly cutIn: {
    readonly timer: number;
    readonly kind: 'interruption' | 'backchannel';
    readonly text: string;
  } | null;
  /** When both have last fallen silent, and how often the caller has prompted the agent since. */
  readonly quietSince: number;
  readonly prompts: number;
  readonly isOver: boolean;
}

export interface CallerStep {
  readonly state: CallerState;
  readonly acts: readonly CallerAct[];
}

export const initialCaller = (settings: CallerSettings): CallerState => ({
  settings,
  heard: [],
  isAgentSpeaking: false,
  isSpeaking: false,
  turns: 0,
  sentences: 0,
  owed: null,
  answered: [],
  timer: 0,
  plan: null,
  cutIn: null,
  quietSince: 0,
  prompts: 0,
  isOver: false,
});

/** How a caller of a temper talks: ms before it answers (median and 99th percentile), and how much faster it speaks. */
const MANNERS = {
  calm: { think: { median: 550, p99: 1_300 }, speed: 1 },
  hurried: { think: { median: 280, p99: 700 }, speed: 1.25 },
  angry: { think: { median: 350, p99: 900 }, speed: 1.15 },
} as const;

export const mannersOf = ({ persona }: CallerSettings): (typeof MANNERS)[keyof typeof MANNERS] =>
  MANNERS[persona.temper ?? 'calm'];

/** How fast a caller speaks; 1: as usual. */
export const paceOf = (persona: Pick<CallerPersona, 'speed' | 'temper'>): number =>
  (persona.speed ?? 1) * MANNERS[persona.temper ?? 'calm'].speed;
