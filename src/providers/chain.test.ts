import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidates, Chain, Course, LostMembers, retryDelay, type Standing } from './chain.ts';
import { vendorFault } from './wire/fault.ts';
import { VendorHealth } from './wire/health.ts';
import { Probes } from './wire/probes.ts';

const standing = fc.constantFrom<Standing>('works', 'failed', 'unable');
const kinds = fc.constantFrom('lost', 'limit', 'timeout', 'credit', 'key');

describe('the members to try', () => {
  it('never include a member that is unable, and always end with one that serves', () => {
    fc.assert(
      fc.property(fc.array(standing, { minLength: 1, maxLength: 6 }), (standings) => {
        const last = standings.length - 1;
        const tried = candidates(standings);
        const vendors = tried.filter((index) => index !== last);
        expect(vendors.every((index) => standings[index] !== 'unable')).toBe(true);
        const end = tried.at(-1);
        expect(end === last || standings[end ?? 0] === 'works').toBe(true);
        expect(tried).toEqual([...new Set(tried)].toSorted((a, b) => a - b));
      }),
    );
  });

  it('pass a vendor that failed over while another one works, and only then', () => {
    fc.assert(
      fc.property(fc.array(standing, { minLength: 1, maxLength: 6 }), (standings) => {
        const vendors = standings.slice(0, -1);
        const tried = candidates(standings);
        const failed = vendors.flatMap((each, i) => (each === 'failed' ? [i] : []));
        const works = vendors.indexOf('works');
        expect(tried).toEqual(works >= 0 ? [works] : [...failed, standings.length - 1]);
      }),
    );
  });

  it('are the same one again for as many tries as there are delays', () => {
    const delaysMs = [0, 250, 500];
    const tries = (mayRetry: boolean) => [0, 1, 2, 3].map((n) => retryDelay(n, { delaysMs, mayRetry }));
    expect([tries(true), tries(false)]).toEqual([
      [0, 250, 500, null],
      [null, null, null, null],
    ]);
  });
});

/** A chain of vendors and the engine of this machine, in time that a test moves. */
function chainOf(vendors: number) {
  let clock = 0;
  const now = (): number => clock;
  const probes = new Probes(undefined, now, () => 0.5);
  const health = new VendorHealth(now, () => undefined, { probes });
  const members = Array.from({ length: vendors + 1 }, (_, i) => ({
    name: i === vendors ? 'offline' : `vendor ${i}`,
    close: () => Promise.resolve(),
  }));
  const scheduler = { now, after: () => () => undefined };
  const chain = new Chain(members, { health, scheduler });
  return { chain, health, pass: (ms: number) => (clock += ms) };
}

const AT_ONCE = { delaysMs: [], mayRetry: false };

describe('the course of a reply', () => {
  it('switches at most once for each vendor, and ends with the engine of this machine', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.array(kinds, { minLength: 6, maxLength: 6 }),
        fc.array(fc.nat({ max: 5 })),
        (vendors, faults, broken) => {
          const { chain, health } = chainOf(vendors);
          for (const i of broken.filter((index) => index < vendors)) {
            health.broke(chain.nameOf(i), vendorFault(chain.nameOf(i), 'lost', ''));
          }
          const course = new Course(chain);
          const served: number[] = [];
          while (course.choose() !== chain.last) {
            served.push(course.index);
            course.failed(vendorFault(course.name, faults[served.length - 1] ?? 'lost', ''), AT_ONCE);
          }
          expect(served).toEqual([...new Set(served)]);
          expect(course.isLast).toBe(true);
        },
      ),
    );
  });

  it('never asks a vendor that refused its key while the refusal is fresh', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.nat({ max: 29_999 }), (vendors, ms) => {
        const { chain, health, pass } = chainOf(vendors);
        for (let i = 0; i < vendors; i++) {
          health.broke(chain.nameOf(i), vendorFault(chain.nameOf(i), 'key', '', { status: 401 }));
        }
        pass(ms);
        expect(new Course(chain).choose()).toBe(chain.last);
      }),
    );
  });

  it('gives one of many replies the turn to ask the only vendor after several failures, and the next after its answer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 2, max: 8 }), (replies, failures) => {
        const { chain, health, pass } = chainOf(1);
        for (let i = 0; i < failures; i++) health.broke('vendor 0', vendorFault('vendor 0', 'lost', ''));
        pass(2_000);
        const courses = Array.from({ length: replies }, () => new Course(chain));
        const asking = courses.filter((course) => course.choose() === 0);
        expect(asking).toHaveLength(1);
        asking[0]?.cancelled();
        const [next] = courses.filter((course) => course.choose() === 0);
        next?.worked();
        expect(new Set(courses.map((course) => course.choose()))).toEqual(new Set([0]));
      }),
    );
  });

  it('tries the same member before the next one, and tells other calls of a failure only then', () => {
    const { chain, health } = chainOf(2);
    const course = new Course(chain);
    course.choose();
    const fault = vendorFault('vendor 0', 'lost', '');
    const retries = { delaysMs: [0, 250], mayRetry: true };
    expect([course.failed(fault, retries), course.failed(fault, retries)]).toEqual([0, 250]);
    expect(health.brokenBy('vendor 0')).toBeNull();
    expect([course.failed(fault, retries), course.choose()]).toEqual([null, 1]);
    expect(health.brokenBy('vendor 0')).toBe(fault);
  });

  it('leaves a vendor that refused one request to other calls', () => {
    const { chain } = chainOf(2);
    const course = new Course(chain);
    course.choose();
    course.failed(vendorFault('vendor 0', 'rejected', ''), AT_ONCE, { isOfRequest: true });
    expect([course.choose(), new Course(chain).choose()]).toEqual([1, 0]);
  });

  it('serves by the engine of this machine once it is too late for vendors', () => {
    const { chain } = chainOf(2);
    const course = new Course(chain);
    course.tooLate();
    expect([course.choose(), course.hasOther()]).toEqual([2, false]);
  });
});

describe('a call that lost a member', () => {
  it('stays with the one that took over in later replies, though the first has recovered', () => {
    const { chain, pass } = chainOf(2);
    const lost = new LostMembers();
    const first = new Course(chain, lost);
    first.choose();
    first.failed(vendorFault('vendor 0', 'lost', ''), AT_ONCE);
    pass(60_000);
    expect([new Course(chain, lost).choose(), new Course(chain).choose()]).toEqual([1, 0]);
  });

  it('returns to it when no other vendor is left', () => {
    const { chain } = chainOf(1);
    const lost = new LostMembers();
    const first = new Course(chain, lost);
    first.choose();
    first.failed(vendorFault('vendor 0', 'lost', ''), AT_ONCE);
    expect(first.choose()).toBe(1);
    expect([new Course(chain, lost).choose(), lost.fault]).toEqual([0, null]);
  });
});
