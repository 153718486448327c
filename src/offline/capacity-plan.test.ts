import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOf } from './capacity-plan.ts';

describe('the plan of so many calls', () => {
  it('is the table of docs/scaling.md', () => {
    const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
    const rows = [
      ...page.matchAll(
        /^\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\| (\d+) +\| ([\d,]+) GB +\| ([\d,]+) Mbit\/s +\| ([\d,]+) +\| ([\d,]+) GB +\|$/gm,
      ),
    ];
    expect(rows).toHaveLength(4);
    // Measured by bench:conversation (continuous talk), and by `callwright capacity` with the English pack.
    const media = 0.0065;
    const [voice, words] = [0.0285, 0.0616];
    for (const [, ...cells] of rows) {
      const [calls = 0, ...shown] = cells.map((cell) => Number(cell.replaceAll(',', '')));
      const vendors = planOf(calls, { media, voice: null }, 0);
      const own = planOf(calls, { media, voice }, words);
      const memoryGb = Math.ceil(vendors.memoryMb / 1_000);
      const recordingGb = Math.ceil(vendors.recordingGbPerHour);
      expect(shown).toEqual([
        vendors.cores,
        own.cores,
        vendors.processes,
        memoryGb,
        vendors.megabits,
        vendors.udpPorts,
        recordingGb,
      ]);
    }
  });

  it('never needs less for more calls, nor less where this machine hears', () => {
    const share = fc.double({ min: 0.001, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.nat(1_000),
        share,
        share,
        (calls, more, media, hearing) => {
          const shares = { media, voice: null };
          const [less, greater] = [planOf(calls, shares, 0), planOf(calls + more, shares, 0)];
          for (const key of ['cores', 'memoryMb', 'megabits', 'udpPorts', 'processes'] as const) {
            expect(greater[key]).toBeGreaterThanOrEqual(less[key]);
          }
          expect(planOf(calls, shares, hearing).cores).toBeGreaterThanOrEqual(less.cores);
        },
      ),
    );
  });
});
