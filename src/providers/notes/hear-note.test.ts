import { expect, it } from 'vitest';
import { NOTE_RATE } from './decode-note.ts';
import { createFakeStt } from '../../offline/scripted/stt.ts';
import { hearNote, partsOf } from './hear-note.ts';

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

it('a note that is cut short has no words, and counts what the recogniser heard until then', async () => {
  const cut = new AbortController();
  let waits = 0;
  const wait = (): Promise<void> => {
    waits += 1;
    if (waits === 30) cut.abort();
    return Promise.resolve();
  };
  const options = { language: 'en-US', secondaryLanguage: null, vocab: [] } as const;
  const heard = await hearNote(createFakeStt({}), note(20, []), options, cut.signal, wait);
  expect(heard.words).toBeNull();
  expect(heard.uses).toHaveLength(1);
  expect(heard.uses[0]?.audioMs).toBeGreaterThan(1_000);
  expect(heard.uses[0]?.audioMs).toBeLessThan(10_000);
});
