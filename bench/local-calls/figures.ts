import { peak } from '@callwright/audio';
import { wordErrorRate } from '../../test/helpers/audio/word-errors.ts';

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** The text with digits for their words, "fifty" as 50, hyphens as spaces and "good-bye" as one word: writings that sound the same. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[-$]/g, ' ')
    .replaceAll(/\bfifty\b/g, '50')
    .replaceAll(/\bcheckup\b/g, 'check up')
    .replaceAll(/\bgood bye\b/g, 'goodbye')
    .replaceAll(/\b[a-z]+\b/g, (word) => {
      const digit = DIGITS.indexOf(word);
      return digit < 0 ? word : String(digit);
    })
    .replaceAll(/\d+/g, (digits) => (digits === '50' ? digits : digits.split('').join(' ')));

/** The share of wrong words, where digits and their words count as equal. */
export const foldedErrorRate = (
  pairs: readonly { readonly said: string; readonly heard: string }[],
): number => wordErrorRate(pairs.map(({ said, heard }) => ({ said: folded(said), heard: folded(heard) })));

/** Of numbers in any order; 0 for none. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const FRAME = 160;
const LOUD = 300;
/** Frames of silence that stay between two sounds. */
const PAUSE = 15;

/** The sound of 8 kHz audio with pauses of at most 300 ms. */
export function spokenParts(pcm: Int16Array): Int16Array {
  const kept: Int16Array[] = [];
  let quiet = PAUSE;
  for (let at = 0; at + FRAME <= pcm.length; at += FRAME) {
    const frame = pcm.subarray(at, at + FRAME);
    quiet = peak(frame) >= LOUD ? 0 : quiet + 1;
    if (quiet <= PAUSE) kept.push(frame);
  }
  const whole = new Int16Array(kept.length * FRAME);
  for (const [n, frame] of kept.entries()) whole.set(frame, n * FRAME);
  return whole;
}
