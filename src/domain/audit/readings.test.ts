import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { Readings } from './readings.ts';

describe('playbacks', () => {
  it('are audited once a minute from byte 0, and once an hour for later parts', () => {
    const clock = new ManualClock();
    const readings = new Readings(clock);
    expect([readings.isNew('a', 5), readings.isNew('a', 9), readings.isNew('b', 9)]).toEqual([
      true,
      false,
      true,
    ]);
    clock.advance(59_999);
    expect(readings.isNew('a', 0)).toBe(false);
    clock.advance(1);
    expect([readings.isNew('a', 0), readings.isNew('a', 0), readings.isNew('a', 1)]).toEqual([
      true,
      false,
      false,
    ]);
    clock.advance(3_599_999);
    expect(readings.isNew('a', 1)).toBe(false);
    clock.advance(1);
    expect([readings.isNew('a', 1), readings.isNew('a', 2)]).toEqual([true, false]);
  });

  it('are audited with more readers than the cache holds', () => {
    const readings = new Readings(new ManualClock());
    for (let at = 0; at < 20_000; at += 1) expect(readings.isNew(String(at), 1)).toBe(true);
    expect(readings.isNew('0', 1)).toBe(true);
    expect(readings.isNew('19999', 1)).toBe(false);
  });
});
