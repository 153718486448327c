import type { Expected } from './ports.ts';
import { NO_TEXT, type SentenceBuffer } from '../sentences.ts';
import type { EndReason } from './types.ts';

/** One `speak` effect with its progress. `heard` and `rest` split the text where playing stopped. */
export interface Utterance {
  readonly id: number;
  readonly text: string;
  readonly status: 'queued' | 'playing' | 'played' | 'stopped' | 'failed';
  readonly requestedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly heard: string;
  readonly rest: string;
  /** A phrase of our own that fills the wait for the model. */
  readonly isFiller?: true;
  /** The person of the workspace who wrote it; absent: the agent's own words. */
  readonly author?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/**
 * How far a reply may sound. `prepared`: its turn is not committed. `released`: it plays, or will when its audio is there.
 * `suspended`: stopped by a possible interruption or a hold; it resumes after a false alarm or the hold.
 */
export type Playing =
  | { readonly phase: 'prepared'; readonly answers: PreparedFor }
  | { readonly phase: 'released'; readonly releasedAt: number }
  | {
      readonly phase: 'suspended';
      readonly releasedAt: number;
      /** The stop, reported once the interruption is confirmed; null: a hold. */
      readonly stopped: Stopped | null;
      /** Sentences received since the stop. */
      readonly heldBack: readonly string[];
    };

/**
 * What a prepared reply answers: the caller's `turn` as it will be committed, words that the recogniser has not ended yet,
 * or the `sound` of the turn, which the brain heard itself and answers whatever its words are.
 */
export type PreparedFor = 'turn' | 'sound' | { readonly words: string };

export interface Stopped {
  readonly since: number;
  readonly at: number;
}

/**
 * The model's part of a reply. `fixed`: none, its text is a phrase. `done`: complete, its memory and expected answer not
 * applied yet. `accepted`: they are applied. `abandoned`: it ended with the text so far and keeps no memory. `broken_off`:
 * the same after a failure, and a new reply continues after what was spoken.
 */
export type Stream =
  | { readonly phase: 'generating'; readonly pending: SentenceBuffer }
  | {
      readonly phase: 'done';
      readonly memory: unknown;
      readonly expected: Expected | null;
      readonly onSilence?: true;
    }
  | { readonly phase: 'accepted'; readonly expected: Expected | null }
  | { readonly phase: 'fixed' | 'abandoned' | 'broken_off' };

/** The agent's current reply. */
export interface Reply {
  readonly id: number;
  readonly kind: 'greeting' | 'brain' | 'check_in' | 'phrase';
  readonly playing: Playing;
  readonly stream: Stream;
  readonly utterances: readonly Utterance[];
  readonly heldTools: readonly ToolCall[];
  readonly calledTools: boolean;
  /** Hang up after this reply, and at `closeBy` even if it is not over. Not `cancellable`: nor can it be interrupted. */
  readonly ending: {
    readonly reason: EndReason;
    readonly cancellable: boolean;
    readonly closeBy: number | null;
  } | null;
  readonly requestedAt: number;
  readonly firstTextAt: number | null;
  /** Time of the model's last event. */
  readonly activeAt: number;
  /** 2: the retry of a failed reply. */
  readonly attempt: 1 | 2;
}

/** A reply of fixed text, or (`brain`) one to be generated. */
export const newReply = (id: number, kind: Reply['kind'], playing: Playing, at: number): Reply => ({
  id,
  kind,
  playing,
  stream: kind === 'brain' ? GENERATING : FIXED,
  utterances: [],
  heldTools: [],
  calledTools: false,
  ending: null,
  requestedAt: at,
  firstTextAt: null,
  activeAt: at,
  attempt: 1,
});

export const GENERATING: Stream = { phase: 'generating', pending: NO_TEXT };
const FIXED: Stream = { phase: 'fixed' };

/** The model sends nothing more for this reply. */
export const isDone = ({ stream }: Reply): boolean => stream.phase !== 'generating';

/** The answer that the model expects to this reply. */
export const expectedBy = ({ stream }: Reply): Expected | null =>
  stream.phase === 'done' || stream.phase === 'accepted' ? stream.expected : null;

/** Utterances with the model's words. */
export const ownUtterances = ({ utterances }: Reply): readonly Utterance[] =>
  utterances.filter(({ isFiller }) => isFiller !== true);

export const isAudible = (reply: Reply | null): boolean =>
  reply !== null && reply.utterances.some((u) => u.startedAt !== null);

export const isUnfinished = (utterance: Utterance): boolean =>
  utterance.status === 'queued' || utterance.status === 'playing';

/** Keeps sentences that arrive while the reply is suspended. */
export const holdingBack = (playing: Playing, sentences: readonly string[]): Playing =>
  playing.phase === 'suspended' ? { ...playing, heldBack: [...playing.heldBack, ...sentences] } : playing;

/** Stops until a false alarm or the end of a hold. A prepared reply cannot be stopped: it does not play. */
export const suspended = (playing: Playing, stopped: Stopped | null): Playing =>
  playing.phase === 'prepared'
    ? playing
    : { phase: 'suspended', releasedAt: playing.releasedAt, stopped, heldBack: [] };
