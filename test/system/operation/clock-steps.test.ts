import { expect, it } from 'vitest';
import { STEPS, steppable } from '../../helpers/service/steppable-clock.ts';
import { DeliveryRig } from '../../helpers/webhooks/delivery-rig.ts';

const rig = new DeliveryRig();

/** Some polls of both processes. */
const polled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));

it.each(STEPS)('a delivery under way is sent once while the clock of the %s', async (_, step, ms) => {
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
