import { expect, it } from 'vitest';
import { atCallRate } from './microphone.ts';

it('halves the rate of a frame for a call over the phone and leaves that of a browser call', () => {
  const frame = Int16Array.from([100, 300, -32_768, -32_768, 5, 6]);
  expect(atCallRate(frame, 16_000)).toBe(frame);
  expect([...atCallRate(frame, 8_000)]).toEqual([200, -32_768, 6]);
});
