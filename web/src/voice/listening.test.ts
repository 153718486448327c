import { expect, it } from 'vitest';
import { levelsOf } from './listening.ts';

/** Interleaved samples of two constant sides. */
const stereo = (caller: number, agent: number): Int16Array =>
  Int16Array.from({ length: 320 }, (_, n) => (n % 2 === 0 ? caller : agent));

it('measures both sides apart, from silence to full scale', () => {
  expect(levelsOf(stereo(0, -32_768))).toEqual({ caller: 0, agent: 1 });
  const { caller, agent } = levelsOf(stereo(3_277, 33));
  // 20 dB below full scale, of 54 dB that show.
  expect(caller).toBeCloseTo(1 - 20 / 54, 2);
  expect(agent).toBe(0);
  expect(levelsOf(new Int16Array(0))).toEqual({ caller: 0, agent: 0 });
});
