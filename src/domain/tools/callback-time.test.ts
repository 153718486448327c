import { describe, expect, it } from 'vitest';
import { NOW, TIMELESS, WRITTEN, ZONE, local } from '../../../packages/language/src/time/test-phrases.ts';
import { callbackTime } from './callback-time.ts';

describe('callbackTime', () => {
  it.each(WRITTEN)('%s is %s', (when, expected) => {
    expect(local(callbackTime(when, NOW, ZONE, 'en-IN'))).toBe(expected);
  });

  it('reads days in the language of the call', () => {
    expect(local(callbackTime('कल', NOW, ZONE, 'hi-IN'))).toBe('2026-01-06T10:00');
    expect(local(callbackTime('बुधवार 4', NOW, ZONE, 'hi-IN'))).toBe('2026-01-07T16:00');
  });

  it.each(TIMELESS)('finds no time in "%s"', (when) => {
    expect(callbackTime(when, NOW, ZONE, 'en-US')).toBeNull();
  });
});
