/** Work that runs longer no longer holds up the others. */
const MOST_MS = 250;
let last: Promise<unknown> = Promise.resolve();

const endOf = (running: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, MOST_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    running.then(end, end);
  });

/**
 * Begins `work` when the work given before on this thread has ended, or has run for 250 ms. Sweeps whose timers end together so share one
 * connection: the pool does not open ten for a moment, and close them half a minute later.
 */
export function inTurn<R>(work: () => Promise<R>): Promise<R> {
  const { promise, resolve } = Promise.withResolvers<R>();
  last = last.then(() => {
    const running = work();
    resolve(running);
    return endOf(running);
  });
  return promise;
}
