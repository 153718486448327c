import { vi } from 'vitest';
import type { ManualClock } from '../../src/shared/clock.ts';

/** Waits that take too long for a test. */
export interface LongWaits {
  /** Moves the clock and ends the waits that are over by then. */
  advance(ms: number): void;
  /** Waits are true ones again. */
  release(): void;
}

const LONG_MS = 20_000;

/** From now on timers of twenty seconds and more go by this clock; shorter ones, those of peers' packets, stay true. */
export function holdLongWaits(clock: ManualClock): LongWaits {
  const waits = new Map<NodeJS.Timeout, { readonly until: number; readonly act: () => void }>();
  const [setTrue, clearTrue] = [globalThis.setTimeout, globalThis.clearTimeout];
  const set = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    act: (...args: unknown[]) => void,
    ms = 0,
    ...args: unknown[]
  ) => {
    if (ms < LONG_MS) return setTrue(act, ms, ...args);
    const handle = setTrue(() => undefined, 2 ** 31 - 1).unref();
    waits.set(handle, { until: clock.monotonic() + ms, act: () => act(...args) });
    return handle;
  }) as typeof setTimeout);
  const clear = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((handle) => {
    waits.delete(handle as NodeJS.Timeout);
    clearTrue(handle);
  });
  return {
    advance(ms) {
      clock.advance(ms);
      for (const [handle, { until, act }] of waits) {
        if (until > clock.monotonic()) continue;
        clearTimeout(handle);
        act();
      }
    },
    release() {
      set.mockRestore();
      clear.mockRestore();
      for (const handle of waits.keys()) clearTrue(handle);
    },
  };
}
