import { describe, expect, it } from 'vitest';
import { isBeforeBaseline } from './before-baseline.ts';

const migration = (name: string) => ({ name, checksum: '0'.repeat(64) });

describe('the migrations of a database', () => {
  it('are not of an earlier development version when there are none, or the baseline', () => {
    expect(isBeforeBaseline([])).toBe(false);
    expect(isBeforeBaseline([migration('0001_baseline.sql'), migration('0002_later.sql')])).toBe(false);
  });

  it('are refused when only some of those that the baseline replaced are applied, or one of them was edited', () => {
    const some = [migration('0001_init.sql'), migration('0130_web_sessions.sql')];
    expect(() => isBeforeBaseline(some)).toThrow(
      'its last migration is 0130_web_sessions.sql). Start commit 768efba6 on it once',
    );
  });
});
