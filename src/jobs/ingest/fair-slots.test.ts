import { describe, expect, it } from 'vitest';
import { FairSlots } from './fair-slots.ts';

describe('slots shared by workspaces', () => {
  it('a workspace that fills its own slots leaves the others to the next workspace', async () => {
    const slots = new FairSlots({ total: 2, perKey: 1 });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const task = (name: string, key: string): Promise<void> =>
      slots.run(key, () => {
        begun.push(name);
        return new Promise((resolve) => ends.push(resolve));
      });
    const all = [task('a1', 'a'), task('a2', 'a'), task('b1', 'b'), task('c1', 'c')];
    await Promise.resolve();
    expect(begun).toEqual(['a1', 'b1']);
    ends[1]?.();
    await all[2];
    await Promise.resolve();
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    ends[0]?.();
    await all[0];
    await Promise.resolve();
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
    for (const end of ends) end();
    await Promise.all(all);
  });

  it('a task that fails frees its slot', async () => {
    const slots = new FairSlots({ total: 1, perKey: 1 });
    await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.run('a', () => Promise.resolve(1))).toBe(1);
  });
});
