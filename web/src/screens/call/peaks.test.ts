import { describe, expect, it } from 'vitest';
import { lanePath } from './peaks.ts';

describe('a lane of the waveform', () => {
  const peaks = { channels: 2, bits: 8, length: 2, data: [-64, 64, -128, 0, 0, 127, -1, 1] };
  const box = { width: 100, height: 40, middle: 20 };

  it('encloses the minima and maxima of its channel', () => {
    expect(lanePath(peaks, 0, box)).toBe('M0.0,10.0L50.0,0.2L50.0,20.1L0.0,30.0Z');
    expect(lanePath(peaks, 1, box)).toBe('M0.0,19.9L50.0,19.8L50.0,20.2L0.0,40.0Z');
  });

  it('fills its lane with a quiet recording, and leaves silence flat', () => {
    const quiet = { ...peaks, channels: 1, length: 1, data: [-32, 32] };
    expect(lanePath(quiet, 0, box)).toBe('M0.0,0.0L0.0,40.0Z');
    expect(lanePath({ ...quiet, data: [0, 0] }, 0, box)).toBe('M0.0,19.9L0.0,20.1Z');
  });

  it('is empty without points', () => {
    expect(lanePath({ ...peaks, length: 0, data: [] }, 0, box)).toBe('');
  });
});
