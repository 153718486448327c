import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock, type Scheduler } from '../clock.ts';
import { leftBeside, mayTake } from './rule.ts';
import { NoPlaceError, Shares, type Release } from './shares.ts';

/** Timers that run when the test moves the time on. */
function manualScheduler() {
  const clock = new ManualClock(0);
  const timers = new Map<() => void, number>();
  const scheduler: Scheduler = {
    now: () => clock.now(),
    after: (ms, run) => {
      timers.set(run, clock.now() + ms);
      return () => timers.delete(run);
    },
  };
  const advance = (ms: number): void => {
    clock.advance(ms);
    for (const [run, at] of timers) {
      if (at <= clock.now() && timers.delete(run)) run();
    }
  };
  return { scheduler, advance };
}

/** Takes places until the tenant gets no more. */
function takeAll(shares: Shares, tenant: string): Release[] {
  const taken: Release[] = [];
  for (let next = shares.tryTake(tenant); next !== null; next = shares.tryTake(tenant)) taken.push(next);
  return taken;
}

describe('mayTake', () => {
  it.each([
    [20, 3, 7],
    [32, 4, 8],
    [3, 2, 2],
    [2, 2, 1],
    [4, 1, 4],
  ])('gives a lone tenant, of %i places in %i parts, %i', (places, parts, expected) => {
    expect(takeAll(new Shares({ places, parts }), 'a')).toHaveLength(expected);
  });

  it('leaves places to a tenant that comes after six that hang', () => {
    const shares = new Shares({ places: 20, parts: 3 });
    for (const tenant of 'abcdef') takeAll(shares, tenant);
    expect(shares.free).toBe(leftBeside(6, 20, 3));
    expect(shares.tryTake('g')).not.toBeNull();
  });
});

describe('Shares', () => {
  it('gives a freed place to the waiting tenant that holds fewest, then to the one served longest ago', async () => {
    const { scheduler } = manualScheduler();
    const shares = new Shares({ places: 3, parts: 2, waiting: { perTenant: 5, ms: 1000 }, scheduler });
    const [first] = takeAll(shares, 'greedy');
    takeAll(shares, 'modest');
    const order: string[] = [];
    const wait = (tenant: string): void => {
      void shares.take(tenant).then(() => order.push(tenant));
    };
    wait('greedy');
    wait('new');
    first?.();
    await Promise.resolve();
    expect(order).toEqual(['new']);
  });

  it('refuses a waiting tenant after its time, and keeps none of its places', async () => {
    const { scheduler, advance } = manualScheduler();
    const shares = new Shares({ places: 2, parts: 2, waiting: { perTenant: 1, ms: 1000 }, scheduler });
    const [release] = takeAll(shares, 'a');
    const waiting = shares.take('a');
    await expect(shares.take('a')).rejects.toBeInstanceOf(NoPlaceError);
    advance(1000);
    await expect(waiting).rejects.toBeInstanceOf(NoPlaceError);
    release?.();
    expect([shares.held('a'), shares.waiting('a'), shares.free, shares.refused]).toEqual([0, 0, 2, 3]);
  });

  it('counts a place once, however often it is given back', () => {
    const shares = new Shares({ places: 2, parts: 1 });
    const release = shares.tryTake('a');
    shares.tryTake('a');
    release?.();
    release?.();
    expect(shares.free).toBe(1);
  });

  it('gives the place back when the work fails', async () => {
    const shares = new Shares({ places: 2, parts: 2 });
    await expect(shares.within('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(shares.free).toBe(2);
  });

  it('shrinks the share of a tenant that fills every place, for one that comes later', () => {
    const shares = new Shares({ places: 10, parts: 1, evicts: { heldMs: 0 } });
    let evicted = 0;
    for (let stream = 0; stream < 10; stream += 1) shares.tryTake('a', () => (evicted += 1));
    for (let stream = 0; stream < 10; stream += 1) shares.tryTake('b', () => undefined);
    expect([evicted, shares.held('a'), shares.held('b')]).toEqual([5, 5, 5]);
  });

  it('lets a third tenant upload beside two with endless uploads, once those have had their time', () => {
    const { scheduler, advance } = manualScheduler();
    const shares = new Shares({ places: 3, parts: 2, evicts: { heldMs: 60_000 }, scheduler });
    const cut: string[] = [];
    for (const tenant of ['a', 'a', 'b']) shares.tryTake(tenant, () => cut.push(tenant));
    expect(shares.tryTake('c')).toBeNull();
    advance(60_000);
    expect(shares.tryTake('c')).not.toBeNull();
    expect(cut).toEqual(['a']);
  });

  it('takes back the place that was idle for longest, and keeps those that are used', () => {
    const { scheduler, advance } = manualScheduler();
    const shares = new Shares({ places: 3, parts: 1, evicts: { heldMs: 0, idleMs: 1_000 }, scheduler });
    const cut: number[] = [];
    const held = [0, 1, 2].map((n) => shares.tryTake('a', () => cut.push(n)));
    expect(shares.tryTake('a')).toBeNull();
    advance(1_000);
    shares.renew(held[0]!);
    expect(shares.tryTake('a')).not.toBeNull();
    expect(shares.tryTake('b')).not.toBeNull();
    expect([cut, shares.held('a'), shares.held('b')]).toEqual([[1, 2], 2, 1]);
    held[1]?.();
    shares.renew(held[1]!);
    expect(shares.free).toBe(0);
  });

  type Step = { readonly tenant: number; readonly act: 'take' | 'wait' | 'release' };
  const step: fc.Arbitrary<Step> = fc.record({
    tenant: fc.nat({ max: 5 }),
    act: fc.constantFrom('take', 'wait', 'release'),
  });

  it('costs the others at most one part of the places for each tenant that hangs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          places: fc.integer({ min: 1, max: 40 }),
          parts: fc.integer({ min: 2, max: 6 }),
          hanging: fc.integer({ min: 0, max: 5 }),
          steps: fc.array(step, { maxLength: 200 }),
        }),
        async ({ places, parts, hanging, steps }) => {
          const { scheduler } = manualScheduler();
          const shares = new Shares({ places, parts, waiting: { perTenant: 10, ms: 1000 }, scheduler });
          const held = Array.from({ length: 6 }, (): Release[] => []);
          for (const { tenant, act } of steps) {
            const name = String(tenant);
            const before = shares.held(name);
            const others = places - shares.free - before;
            if (act === 'release') {
              // Tenants below `hanging` never give a place back.
              if (tenant >= hanging) held[tenant]?.shift()?.();
            } else if (act === 'take') {
              const release = shares.tryTake(name);
              if (release !== null) held[tenant]?.push(release);
            } else {
              shares.take(name).then(
                (release) => held[tenant]?.push(release),
                () => undefined,
              );
            }
            const most = Math.max(before, Math.ceil((places - others) / parts));
            expect(shares.held(name)).toBeLessThanOrEqual(most);
            await Promise.resolve();
            await Promise.resolve();
            expect(shares.free).toBeGreaterThanOrEqual(0);
          }
          // The others give back everything they have and will get: a place that is left is theirs to take.
          for (let round = 0; round < 200; round += 1) {
            for (const list of held.slice(hanging)) for (const release of list.splice(0)) release();
            await Promise.resolve();
          }
          const lost = Array.from({ length: hanging }, (_, tenant) => shares.held(String(tenant)));
          const left = places - lost.reduce((sum, count) => sum + count, 0);
          expect(left).toBeGreaterThanOrEqual(leftBeside(hanging, places, parts));
          for (let tenant = hanging; tenant < 6; tenant += 1) {
            const isServed = mayTake(0, left, parts);
            expect(shares.waiting(String(tenant)) === 0 || !isServed).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
