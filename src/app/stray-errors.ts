import type { Log } from '../shared/log.ts';

export interface StrayErrorOptions {
  readonly log: Log;
  /** Takes no more calls, waits for the live ones and stops. */
  readonly drainAndStop: () => Promise<void>;
  readonly exit: (code: number) => void;
}

/** Further stray errors after which the process exits without waiting for its calls. */
const MAX_STRAYS = 100;

/**
 * Handles an error that nothing else caught. Node would end the process and drop every call; instead the process takes
 * no new calls, lets the live ones finish and exits with code 1, to be started clean.
 */
export function strayErrors({ log, drainAndStop, exit }: StrayErrorOptions): (error: unknown) => void {
  let strays = 0;
  return (thrown) => {
    strays += 1;
    log.fatal(
      { err: thrown },
      'an unexpected error: no new calls, live calls finish, then the process exits',
    );
    if (strays > MAX_STRAYS) exit(1);
    if (strays > 1) return;
    const end = (): void => exit(1);
    drainAndStop().then(end, end);
  };
}
