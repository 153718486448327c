import { setImmediate as round } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('turns', () => {
  it('let so many begin in a round, in order, and others be heard between rounds', async () => {
    const turns = new Turns(3);
    const begun: (number | string)[] = [];
    const all = [0, 1, 2, 3, 4, 5, 6].map((n) => turns.next().then(() => begun.push(n)));
    const heard = (async () => {
      for (let n = 1; n <= 2; n += 1) {
        await round();
        begun.push(`heard ${n}`);
      }
    })();
    await Promise.all([...all, heard]);
    expect(begun).toEqual([0, 1, 2, 'heard 1', 3, 4, 5, 'heard 2', 6]);
    // Whoever comes later starts anew.
    await turns.next();
  });
});
