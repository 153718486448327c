import type { Clock } from './clock.ts';

/**
 * Concurrent callers share one read, and later ones get its value for `keptMs` after it was read. A read that rejects is not
 * kept.
 */
export function keptFor<T>(
  keptMs: number,
  clock: Pick<Clock, 'monotonic'>,
  read: () => Promise<T>,
): () => Promise<T> {
  let pending: Promise<T> | null = null;
  let kept: { readonly value: T; readonly at: number } | null = null;
  return () => {
    if (kept !== null && clock.monotonic() - kept.at < keptMs) return Promise.resolve(kept.value);
    pending ??= read()
      .then((value) => {
        kept = { value, at: clock.monotonic() };
        return value;
      })
      .finally(() => {
        pending = null;
      });
    return pending;
  };
}
