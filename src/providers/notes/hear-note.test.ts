import { expect, it } from 'vitest';
import { NOTE_RATE } from './decode-note.ts';
import { partsOf } from './hear-note.ts';

/** Loud, apart from half a second of silence at each of these seconds. */
function note(seconds: number, silences: readonly number[]): Int16Array {
  const pcm = new Int16Array(seconds * NOTE_RATE).fill(8_000);
  for (const at of silences) pcm.fill(0, at * NOTE_RATE, (at + 0.5) * NOTE_RATE);
  return pcm;
}

it('a note of up to ten seconds is one part', () => {
  expect(partsOf(note(10, [4]))).toEqual([10 * NOTE_RATE]);
});

it('a longer note is cut where it is quiet, into parts of five to ten seconds', () => {
  const ends = partsOf(note(21, [3, 7, 14])).map((end) => end / NOTE_RATE);
  expect(ends).toHaveLength(3);
  expect(ends[0]).toBeGreaterThan(7);
  expect(ends[0]).toBeLessThan(7.5);
  expect(ends[1]).toBeGreaterThan(14);
  expect(ends[1]).toBeLessThan(14.5);
  expect(ends[2]).toBe(21);
});
