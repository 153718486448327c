import {
  NO_SEGMENT,
  segmentAfterCommit,
  SILENCE,
  soundAfterCommit,
  soundAfterHold,
  type Segment,
  type Sound,
} from './segment.ts';
import type { EndSound } from './policies/end-vote.ts';

/** What the turn has before the caller's current segment. */
export interface Earlier {
  /** End of its sound, restored if the segment was noise; null: the turn begins with the segment. */
  readonly quietSince: number | null;
  /** The longest pause between its words, ms; 0: there was none. */
  readonly pausedMs: number;
  /** How many characters of its words the transcript has, of a number that goes on over the reply to its beginning. */
  readonly transcribed: number;
}

/** The caller's speech that is not committed as a turn. */
export interface Caller {
  readonly sound: Sound;
  readonly segment: Segment;
  /** Talk over the agent is much softer than the caller's: a television, or a second person in the room. */
  readonly far: boolean;
  /** Words that the recogniser has not ended. `turn`: its own turn; null: it has no turns. */
  readonly partial: { readonly text: string; readonly turn: string | null };
  readonly lastFinal: {
    readonly segment: number;
    readonly text: string;
    readonly turn: string | null;
    readonly audioMs: number | null;
  } | null;
  /** Words taken before the recogniser ended its turn; without turns (null), before its final for the segment. */
  readonly taken: { readonly turn: string | null; readonly segment: number; readonly text: string } | null;
  /** Words of the turn. */
  readonly text: string;
  readonly typed: boolean;
  /** First and last sound of the turn. */
  readonly firstSince: number;
  readonly quietSince: number;
  readonly earlier: Earlier;
  readonly finalAt: number | null;
  /** The turn holds speech without recognised words, where free speech is lost. */
  readonly unclear: boolean;
  /**
   * Whether the turn is over. `certain`: the recogniser ended it, so it is committed as soon as the floor is free. `judged`:
   * how its end sounds; null: unknown since the last sound.
   */
  readonly end: { readonly certain: boolean; readonly judged: EndSound | null };
  /** How often the turn was reopened, until new words arrive. */
  readonly reopened: number;
  /** A backchannel over the agent's speech: the answer if the agent's question ends right after. */
  readonly early: { readonly text: string; readonly since: number; readonly at: number } | null;
  /**
   * Replies prepared in this turn. `failed`: the next request waits for the commit. `words`: those for which a reply was
   * prepared before the recogniser ended them.
   */
  readonly preparing: { readonly failed: boolean; readonly words: readonly string[] };
}

const NOTHING_EARLIER: Earlier = { quietSince: null, pausedMs: 0, transcribed: 0 };
export const NO_PARTIAL: Caller['partial'] = { text: '', turn: null };
export const NO_END: Caller['end'] = { certain: false, judged: null };

export const QUIET: Caller = {
  sound: SILENCE,
  segment: NO_SEGMENT,
  far: false,
  partial: NO_PARTIAL,
  lastFinal: null,
  taken: null,
  text: '',
  typed: false,
  firstSince: 0,
  quietSince: 0,
  earlier: NOTHING_EARLIER,
  finalAt: null,
  unclear: false,
  end: NO_END,
  reopened: 0,
  early: null,
  preparing: { failed: false, words: [] },
};

export const quietUntil = (earlier: Earlier, quietSince: number | null): Earlier => ({
  ...earlier,
  quietSince,
});

/** The words of a committed turn belong to the current one again. */
export const takenBack = (
  { pausedMs }: Earlier,
  turn: { readonly lastSoundAt: number },
  transcribed: number,
): Earlier => ({ quietSince: turn.lastSoundAt, pausedMs, transcribed });

/** More words came after this pause, ms. */
export const afterPause = (earlier: Earlier, pauseMs: number): Earlier => ({
  ...earlier,
  pausedMs: Math.max(earlier.pausedMs, pauseMs),
});

/** The caller after a commit: no words, but the segment and its pending final are kept. */
export const clearedCaller = ({ sound, segment, far, quietSince, lastFinal, taken }: Caller): Caller => ({
  ...QUIET,
  sound: soundAfterCommit(sound),
  segment: segmentAfterCommit(segment),
  far,
  firstSince: segment.since,
  quietSince,
  lastFinal,
  taken,
});

/** The caller when the conversation is suspended. */
export const suspendedCaller = (caller: Caller): Caller => ({
  ...clearedCaller(caller),
  sound: soundAfterHold(caller.sound),
});

/** The caller is making sound that is not ignored. */
export const isTalking = ({ sound }: Caller): boolean => sound.phase === 'speaking';
