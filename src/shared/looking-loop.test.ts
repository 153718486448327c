import { describe, expect, it } from 'vitest';
import { LookingLoop } from './looking-loop.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the looking loop', () => {
  it('looks one at a time; kicks during a look make exactly one more', async () => {
    const ends: (() => void)[] = [];
    const loop = new LookingLoop({
      look: () => new Promise<void>((resolve) => ends.push(resolve)),
      pollMs: 60_000,
      onError: () => undefined,
    });
    loop.kick();
    expect(ends).toHaveLength(0);
    loop.start();
    for (let n = 0; n < 5; n += 1) loop.kick();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await turn();
    expect(ends).toHaveLength(2);
    await loop.stop();
    loop.kick();
    expect(ends).toHaveLength(2);
  });

  it('goes on after a failed look, and sooner than the poll where the look says so', async () => {
    const errors: unknown[] = [];
    let looks = 0;
    const done = Promise.withResolvers<void>();
    const loop = new LookingLoop({
      look: () => {
        looks += 1;
        if (looks === 1) return Promise.reject(new Error('once'));
        if (looks === 3) done.resolve();
        return Promise.resolve(0);
      },
      pollMs: 5,
      onError: (error) => errors.push(error),
    });
    loop.start();
    await done.promise;
    await loop.stop();
    expect(errors).toHaveLength(1);
  });

  it('gathers kicks that come in a row', async () => {
    const looks: number[] = [];
    const third = Promise.withResolvers<void>();
    const loop: LookingLoop = new LookingLoop({
      look: () => {
        looks.push(performance.now());
        if (looks.length === 3) third.resolve();
        else for (let n = 0; n < 100; n += 1) loop.kick();
        return Promise.resolve();
      },
      pollMs: 60_000,
      gatherMs: 5,
      onError: () => undefined,
    });
    loop.start();
    await turn();
    for (let n = 0; n < 100; n += 1) loop.kick();
    expect(looks).toHaveLength(1);
    await third.promise;
    await loop.stop();
    expect(looks).toHaveLength(3);
  });

  it('stops after the look under way, and waits for kept work no longer than it may', async () => {
    const work = Promise.withResolvers<void>();
    let looks = 0;
    const loop: LookingLoop = new LookingLoop({
      look: () => {
        looks += 1;
        if (looks === 1) loop.keep(work.promise);
        return Promise.resolve();
      },
      pollMs: 60_000,
      onError: () => undefined,
    });
    loop.start();
    await loop.stop(5);
    expect(loop.running).toBe(1);
    work.resolve();
    await loop.stop(60_000);
    expect(loop.running).toBe(0);
  });
});
