import { expect, it } from 'vitest';
import { ServiceClock } from '../../../src/shared/service-clock.ts';
import { DeliveryRig } from '../../helpers/webhooks/delivery-rig.ts';

const HOUR_MS = 3_600_000;
const rig = new DeliveryRig();

/** The clock of a process whose host and database a test steps. */
function steppable(start: number) {
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

/** Some polls of both processes. */
const polled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));

it.each([
  ['host steps an hour forward', 'stepHost', HOUR_MS],
  ['host steps an hour back', 'stepHost', -HOUR_MS],
  ['database steps an hour forward', 'stepDatabase', HOUR_MS],
  ['database steps an hour back', 'stepDatabase', -HOUR_MS],
] as const)('a delivery under way is sent once while the clock of the %s', async (_, step, ms) => {
  const time = steppable(rig.clock.now() + 1_000);
  const answer = Promise.withResolvers<void>();
  rig.answer = (_request, response) => void answer.promise.then(() => response.end('{}'));
  await rig.event();
  for (let process = 0; process < 2; process += 1) rig.deliverer({ clock: time.clock });
  await rig.eventually(() => rig.received.length === 1);
  const before = time.clock.now();
  time[step](ms);
  // Its lease is 45 s long.
  time.pass(35);
  await polled();
  expect(Math.abs(time.clock.now() - before - 35_000)).toBeLessThanOrEqual(3_600);
  answer.resolve();
  await rig.attemptsDone(1);
  time.pass(60);
  await polled();
  expect(rig.received).toHaveLength(1);
  expect(await rig.rows()).toMatchObject([{ state: 'delivered', attempt: 1, attempts: [{ status: 200 }] }]);
});
