import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SLEW, ServiceClock } from './service-clock.ts';

const NOW = Date.UTC(2026, 0, 5, 10);

/** A clock over a host that the test controls. */
function onHost() {
  const host = { monotonic: 1000, wall: NOW };
  const clock = new ServiceClock(
    undefined,
    () => host.monotonic,
    () => host.wall,
  );
  const pass = (ms: number): void => {
    host.monotonic += ms;
    host.wall += ms;
  };
  return { host, clock, pass };
}

describe('ServiceClock', () => {
  it("is not changed by a step of the host's wall clock by an hour", () => {
    const { host, clock, pass } = onHost();
    clock.follow(NOW, host.monotonic);
    const before = clock.now();
    host.wall += 3_600_000;
    pass(90_000);
    host.wall -= 7_200_000;
    pass(90_000);
    expect(clock.now() - before).toBe(180_000);
  });

  it("takes over the database's clock at the first reading, however far it is from the host's", () => {
    const { host, clock } = onHost();
    clock.follow(NOW + 3_600_000, host.monotonic);
    expect(clock.now()).toBe(NOW + 3_600_000);
  });

  it('shares its time with the clocks of other threads', () => {
    const { host, clock } = onHost();
    const other = new ServiceClock(clock.offset, () => host.monotonic);
    clock.follow(NOW + 5_000, host.monotonic);
    expect(other.now()).toBe(NOW + 5_000);
  });

  it("is the host's wall clock where the operator chose so, in every thread", () => {
    const { host, clock } = onHost();
    const other = new ServiceClock(
      clock.offset,
      () => host.monotonic,
      () => host.wall,
    );
    clock.useWallClock();
    host.wall += 3_600_000;
    expect([clock.now(), other.now()]).toEqual([NOW + 3_600_000, NOW + 3_600_000]);
  });

  it('reports how far the database is ahead after a step that it follows slowly', () => {
    const { host, clock, pass } = onHost();
    clock.follow(NOW, host.monotonic);
    pass(5_000);
    clock.follow(NOW + 5_000 + 3_600_000, host.monotonic);
    expect(clock.aheadMs.host).toBe(-500);
    expect(clock.aheadMs.database).toBeCloseTo(3_600_000 - 500, 3);
  });

  it('ends no lease more than a tenth early or late, whatever steps the database makes', () => {
    const step = fc.record({
      ms: fc.integer({ min: 100, max: 20_000 }),
      jump: fc.integer({ min: -7e6, max: 7e6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { host, clock, pass } = onHost();
        clock.follow(NOW, host.monotonic);
        let database = NOW;
        let last = clock.now();
        const since = last;
        let elapsed = 0;
        for (const { ms, jump } of steps) {
          pass(ms);
          database += ms + jump;
          clock.follow(database, host.monotonic);
          elapsed += ms;
          expect(clock.now()).toBeGreaterThanOrEqual(last);
          last = clock.now();
          expect(Math.abs(last - since - elapsed)).toBeLessThanOrEqual(MAX_SLEW * elapsed + 2);
        }
      }),
    );
  });
});
