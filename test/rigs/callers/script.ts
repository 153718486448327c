import type { Language } from '@callwright/language';

/** What a caller does in one call, in order. Times are planned, so that a phone plays the call from one file of audio. */
export interface Script {
  readonly id: string;
  readonly language: Language;
  /** Default: one word of greeting. */
  readonly intro?: string;
  /** What the callee says on picking up; default: nothing. */
  readonly hello?: string;
  readonly steps: readonly Step[];
  /** `call_config` of the agent. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The agent has a tool of this name, which answers after `ms` with `answer`. */
  readonly tool?: { readonly name: string; readonly ms: number; readonly answer: string };
  /** The caller's level relative to the other callers', dB; and the only codec of the phone. */
  readonly line?: { readonly db?: number; readonly codec?: 'PCMU' | 'PCMA' };
}

export type Step =
  /** A turn, after the agent has finished. `[600]` in the words is a pause of 600 ms inside the sentence. */
  | (Spoken & {
      readonly says: string;
      /** The turn is one that the agent waits on longer than on a sentence: by this much, ms. */
      readonly waitMs?: number;
    })
  /** Words into the agent's line, `overMs` after it has begun: they stop it. */
  | (Spoken & { readonly interrupts: string; readonly overMs: number })
  /** A word or sound of listening, or noise of the room, into the agent's line: the line goes on. */
  | { readonly murmurs: string; readonly overMs: number }
  | { readonly noise: Noise; readonly overMs: number }
  /** Keys, after the agent has finished; answered like words. */
  | (Spoken & { readonly presses: string })
  /** Silence, after the agent has finished; the agent says this in it. */
  | { readonly silentMs: number; readonly hears?: string };

export type Noise = 'cough' | 'dog' | 'hum' | 'television';

interface Spoken {
  /** The model's reply; default: "You said:" and the caller's words. `{agent}`: the line before as the history has it. */
  readonly reply?: string;
  /** The model calls the script's tool first. */
  readonly calls?: true;
  /** Digits that one reply must repeat. */
  readonly digits?: string;
}

/** A number or spelling with its pauses: words, or ms of silence. */
export type Piece = { readonly word: string } | { readonly pauseMs: number };

/** Splits a text into words and pauses. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(/\s+/u)
    .filter((part) => part !== '')
    .map((part) => {
      const pause = /^\[(\d+)\]$/u.exec(part);
      return pause === null ? { word: part } : { pauseMs: Number(pause[1]) };
    });

/** The words without the pauses. */
export const wordsOf = (text: string): string =>
  piecesOf(text)
    .flatMap((piece) => ('word' in piece ? [piece.word] : []))
    .join(' ');

/** What the model answers to a step; null: the step is not answered. */
export function replyTo(step: Step): string | null {
  if ('murmurs' in step || 'noise' in step) return null;
  if ('silentMs' in step) return step.hears ?? null;
  if (step.reply !== undefined) return step.reply;
  return `You said: ${'presses' in step ? step.presses : wordsOf('says' in step ? step.says : step.interrupts)}`;
}

export const toolCallsOf = ({ steps }: Script): number => steps.filter((step) => 'calls' in step).length;
