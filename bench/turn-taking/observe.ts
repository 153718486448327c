import { finalPitch } from '@callwright/audio';
import { conversationPhrases } from '@callwright/language';
import { closureOf, Said, type Closure, type EndSound } from '@callwright/turns';
import type { TurnModel } from '../../src/providers/ports/recogniser.ts';
import type { ReadAgain } from '../../test/helpers/audio/read-again.ts';
import type { Pause } from './turns.ts';

const RATE = 8_000;
const LONGEST_S = 8;
const LANGUAGE = 'en-US';
const SETTINGS = { ...conversationPhrases(LANGUAGE), language: LANGUAGE } as const;

/** What a call knows at a pause. */
export interface Observation {
  readonly voice: string;
  readonly text: string;
  readonly words: Closure;
  readonly sound: EndSound;
  readonly lengthsMs: readonly number[] | null;
}

/** The question before a number. */
const ASKS_NUMBER = 'What is your customer number?';

/** Judges each pause as a call does, without a question of the agent before it except one for numbers. */
export async function observe(
  pauses: readonly Pause[],
  model: TurnModel,
  read: ReadAgain | null,
): Promise<Observation[]> {
  const observations: Observation[] = [];
  for (const { voice, pcm, text: heard, lengthsMs, isNumber = false } of pauses) {
    const text = read === null ? heard : await read(pcm, heard);
    const pitch = finalPitch(pcm, RATE);
    const turn = { pcm: pcm.slice(-LONGEST_S * RATE), sampleRate: RATE, text } as const;
    const probability = await model.finished(turn);
    if (probability === null) throw new Error('smart-turn gave no answer in time: is the machine busy?');
    const words = closureOf(Said.of(text), SETTINGS, null, isNumber ? ASKS_NUMBER : '');
    observations.push({ voice, text, words, sound: { probability, pitch }, lengthsMs });
  }
  return observations;
}

/** Waits until the model is loaded. Throws an error when it cannot be used. */
export async function loaded(model: TurnModel): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await model.finished({ pcm: new Int16Array(RATE), sampleRate: RATE, text: '' });
    if (answer !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('smart-turn cannot be used: see docs/turns.md');
}
