import { describe, expect, it, vi } from 'vitest';
import { Poller } from './poller.ts';

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('poller', () => {
  it('never runs two polls at once; all kicks during a poll cause exactly one more', async () => {
    const ends: (() => void)[] = [];
    const poller = new Poller({
      poll: () => new Promise<void>((resolve) => ends.push(resolve)),
      pollMs: 60_000,
      onError: () => undefined,
    });
    poller.kick();
    expect(ends).toHaveLength(0);
    poller.start();
    for (let n = 0; n < 5; n += 1) poller.kick();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await nextTick();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await nextTick();
    expect(ends).toHaveLength(2);
    await poller.stop();
    poller.kick();
    expect(ends).toHaveLength(2);
  });

  it('keeps polling after a failed poll, and polls sooner when the poll returns a shorter wait', async () => {
    const errors: unknown[] = [];
    let polls = 0;
    const done = Promise.withResolvers<void>();
    const poller = new Poller({
      poll: () => {
        polls += 1;
        if (polls === 1) return Promise.reject(new Error('once'));
        if (polls === 3) done.resolve();
        return Promise.resolve(0);
      },
      pollMs: 5,
      onError: (error) => errors.push(error),
    });
    poller.start();
    await done.promise;
    await poller.stop();
    expect(errors).toHaveLength(1);
  });

  it('waits its own time after a failed poll', async () => {
    let polls = 0;
    const second = Promise.withResolvers<void>();
    const poller = new Poller({
      poll: () => {
        polls += 1;
        if (polls === 2) second.resolve();
        return polls === 1 ? Promise.reject(new Error('once')) : Promise.resolve();
      },
      pollMs: 600_000,
      failedMs: 5,
      onError: () => undefined,
    });
    poller.start();
    await second.promise;
    await poller.stop();
    expect(polls).toBe(2);
  });

  it('lets slow polls whose timers end together begin one after another', async () => {
    vi.useFakeTimers();
    const ends: (() => void)[] = [];
    const pollers = Array.from(
      { length: 3 },
      () =>
        new Poller({
          poll: () => new Promise<void>((resolve) => ends.push(resolve)),
          pollMs: 120_000,
          onError: () => undefined,
        }),
    );
    for (const poller of pollers) poller.start();
    expect(ends).toHaveLength(3);
    for (const end of ends.splice(0)) end();
    await vi.advanceTimersByTimeAsync(120_000);
    for (let begun = 1; begun <= 3; begun += 1) {
      expect(ends).toHaveLength(begun);
      ends.at(-1)?.();
      await vi.advanceTimersByTimeAsync(0);
    }
    await Promise.all(pollers.map((poller) => poller.stop()));
    vi.useRealTimers();
  });

  it('does not poll when it is stopped before its turn', async () => {
    vi.useFakeTimers();
    const polls: string[] = [];
    const held = Promise.withResolvers<void>();
    const first = new Poller({
      poll: () => {
        polls.push('first');
        return polls.length > 2 ? held.promise : Promise.resolve();
      },
      pollMs: 120_000,
      onError: () => undefined,
    });
    const second = new Poller({
      poll: () => Promise.resolve(void polls.push('second')),
      pollMs: 120_000,
      onError: () => undefined,
    });
    first.start();
    second.start();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(polls).toEqual(['first', 'second', 'first']);
    const stopped = second.stop();
    held.resolve();
    await vi.advanceTimersByTimeAsync(0);
    await stopped;
    expect(polls).toEqual(['first', 'second', 'first']);
    await first.stop();
    vi.useRealTimers();
  });

  it('gathers consecutive kicks into one poll', async () => {
    const polls: number[] = [];
    const third = Promise.withResolvers<void>();
    const poller: Poller = new Poller({
      poll: () => {
        polls.push(performance.now());
        if (polls.length === 3) third.resolve();
        else for (let n = 0; n < 100; n += 1) poller.kick();
        return Promise.resolve();
      },
      pollMs: 60_000,
      gatherMs: 5,
      onError: () => undefined,
    });
    poller.start();
    await nextTick();
    for (let n = 0; n < 100; n += 1) poller.kick();
    expect(polls).toHaveLength(1);
    await third.promise;
    await poller.stop();
    expect(polls).toHaveLength(3);
  });

  it('stops after the poll under way and waits for tracked work up to graceMs', async () => {
    const work = Promise.withResolvers<void>();
    let polls = 0;
    const poller: Poller = new Poller({
      poll: () => {
        polls += 1;
        if (polls === 1) poller.track(work.promise);
        return Promise.resolve();
      },
      pollMs: 60_000,
      onError: () => undefined,
    });
    poller.start();
    await poller.stop(5);
    expect(poller.running).toBe(1);
    work.resolve();
    await poller.stop(60_000);
    expect(poller.running).toBe(0);
  });
});
