import { describe, expect, it } from 'vitest';
import { createBans, OFFENCES } from './bans.ts';

function rig() {
  const time = { now: 0 };
  return { time, bans: createBans(() => time.now) };
}
const many = (times: number, act: () => void): void => {
  for (let n = 0; n < times; n += 1) act();
};

describe('a source that does not prove itself', () => {
  it('is banned for an hour after ten wrong passwords, three scans or sixty requests', () => {
    for (const [times, points] of [
      [10, OFFENCES.credentials],
      [3, OFFENCES.scanner],
      [60, OFFENCES.request],
    ] as const) {
      const { time, bans } = rig();
      many(times - 1, () => bans.note('192.0.2.1', points));
      expect([points, bans.isBanned('192.0.2.1')]).toEqual([points, false]);
      bans.note('192.0.2.1', points);
      expect([points, bans.isBanned('192.0.2.1'), bans.isBanned('192.0.2.2')]).toEqual([points, true, false]);
      time.now = 3_600_001;
      expect([points, bans.isBanned('192.0.2.1'), bans.counts]).toEqual([
        points,
        false,
        { total: 1, current: 0 },
      ]);
    }
  });

  it('is not banned for few requests over a long time', () => {
    const { time, bans } = rig();
    many(500, () => {
      bans.note('192.0.2.1', OFFENCES.request);
      time.now += 30_000;
    });
    expect(bans.isBanned('192.0.2.1')).toBe(false);
  });

  it('is forgotten when it proves itself', () => {
    const { bans } = rig();
    many(9, () => bans.note('192.0.2.1', OFFENCES.credentials));
    bans.forget('192.0.2.1');
    many(9, () => bans.note('192.0.2.1', OFFENCES.credentials));
    expect(bans.isBanned('192.0.2.1')).toBe(false);
  });

  it('costs a fixed memory, however many addresses are forged', () => {
    const { bans } = rig();
    for (let n = 0; n < 20_000; n += 1) many(3, () => bans.note(`source ${n}`, OFFENCES.scanner));
    expect(bans.counts).toEqual({ total: 20_000, current: 4_096 });
    expect([bans.isBanned('source 0'), bans.isBanned('source 19999')]).toEqual([false, true]);
  });
});
