import { ServiceClock } from '../../../src/shared/service-clock.ts';

export const HOUR_MS = 3_600_000;

/** Every way in which a clock of an installation may jump. */
export const STEPS = [
  ['host steps an hour forward', 'stepHost', HOUR_MS],
  ['host steps an hour back', 'stepHost', -HOUR_MS],
  ['database steps an hour forward', 'stepDatabase', HOUR_MS],
  ['database steps an hour back', 'stepDatabase', -HOUR_MS],
] as const;

/** The clock of a process whose host and database a test steps. */
export function steppable(start: number) {
  let [monotonic, wall, database] = [1_000_000, start, start];
  const clock = new ServiceClock(
    undefined,
    () => monotonic,
    () => wall,
  );
  clock.follow(database, monotonic);
  return {
    clock,
    stepHost: (ms: number) => (wall += ms),
    stepDatabase: (ms: number) => (database += ms),
    /** Time passes; the clock follows the database every second. */
    pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        monotonic += 1_000;
        wall += 1_000;
        database += 1_000;
        clock.follow(database, monotonic);
      }
    },
  };
}
