import { vi } from 'vitest';
import type { ManualClock } from '../../../src/shared/clock.ts';

/** Timers too long for a test, controlled by a manual clock. */
export interface LongWaits {
  /** Advances the clock and fires the timers that became due. */
  advance(ms: number): void;
  /** Restores the real timers. */
  release(): void;
}

const LONG_MS = 20_000;
/**
 * A time limit that has lost some time to real work, such as a connection, or to a busy machine, fires at its round time.
 * Only such a limit is no whole number.
 */
const ROUND_MS = 10_000;
const round = (ms: number): number => (Number.isInteger(ms) ? ms : Math.ceil(ms / ROUND_MS) * ROUND_MS);

/** Replaces timers of 20 s and more by timers on this clock. Shorter ones, such as those of packets, stay real. */
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
    waits.set(handle, {
      until: clock.monotonic() + round(ms),
      act: () => act(...args),
    });
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
