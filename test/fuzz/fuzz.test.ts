import { describe, expect, it } from 'vitest';
import { fuzz, judge, SLOW_UNITS, work } from './run.ts';
import { must, type Target } from './target.ts';
import { TARGETS } from './targets.ts';
import { IS_NIGHTLY } from '../helpers/service/nightly.ts';

const INPUTS = 2_000;
/** How many times fewer inputs than at night. */
const SHORTER = 4;

describe('fuzz targets', () => {
  it.each(TARGETS.map((target) => [target.name, target] as const))(
    '%s: no input crashes, is slow or breaks an invariant',
    { timeout: 300_000 },
    async (_name, target) => {
      const inputs = (target.nightly ?? INPUTS) / (IS_NIGHTLY ? 1 : SHORTER);
      const { findings, inputs: done } = await fuzz(target, { seed: 1, inputs });
      await target.close?.();
      expect(findings).toEqual([]);
      expect(done).toBe(inputs);
    },
  );
});

describe('the runner', () => {
  const target = (run: Target['run']): Target => ({ name: 'own', make: (dice) => dice.bytes(4), run });
  it('finds a crash and a broken invariant, with the input for a replay', async () => {
    const broken = target((input) => must(input.readUInt8(0) !== 7, 'the first byte is 7'));
    const { findings } = await fuzz(broken, { seed: 3, inputs: 5_000 });
    expect(findings.length).toBeGreaterThan(3);
    const [first] = findings;
    expect(first).toMatchObject({
      what: 'Broken: the first byte is 7',
      hex: expect.stringMatching(/^07\w{6}$/),
    });
    const again = await fuzz(broken, { seed: 3, from: first?.at ?? 0, inputs: 1 });
    expect(again.findings).toEqual([first]);
    const rejected = target(() => Promise.reject(new TypeError('x of undefined')));
    expect((await judge(rejected, Buffer.alloc(4))).what).toBe('TypeError: x of undefined');
  });

  it('counts an input as slow only if it is slow every time', async () => {
    expect(
      (
        await judge(
          target(() => work(SLOW_UNITS + 10)),
          Buffer.alloc(4),
        )
      ).what,
    ).toMatch(/^takes \d+ units of work$/);
    let runs = 0;
    const once = target(() => work((runs += 1) === 1 ? SLOW_UNITS + 10 : 0));
    expect((await judge(once, Buffer.alloc(4))).what).toBeNull();
    expect(runs).toBe(2);
  });
});
