import { normal } from '@callwright/language';
import latin from './phrases/hi-Latn.json' with { type: 'json' };
import type { Wording } from './wording.ts';

/** The wording for Hindi in Latin letters, mixed with English nouns, as many scripts of Hindi agents are written. */
export function romanisedHindi(hindi: Wording): Pick<Wording, 'script' | 'slotQuestions' | 'forms'> {
  const { slotWords, slotQuestions, conditions, otherwise, commands } = latin;
  const instructions = { ask: [], tell: [], close: [] };
  return {
    script: { ...hindi.script, instructions, slotWords, conditions, otherwise },
    slotQuestions,
    forms: commands,
  };
}

/** Words that only Hindi has; two of them make a line Hindi. */
const HINDI = new Set(latin.onlyHindi);
const LEAST = 2;

export const isRomanisedHindi = (sentence: string): boolean =>
  normal(sentence)
    .split(' ')
    .filter((word) => HINDI.has(word)).length >= LEAST;
