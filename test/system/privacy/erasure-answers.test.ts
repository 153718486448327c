import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  finishDeliveries,
  takeDeliveries,
  type DueDelivery,
} from '../../../src/store/webhooks/deliveries.ts';
import { eraseCallData } from '../../../src/store/privacy/call-data.ts';
import { createWorkspace, MONDAY, queueCalls, type TestWorkspace } from '../../helpers/database/workspace.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';
import { queueEvents } from '../../helpers/database/queued-events.ts';

let ground: Ground;
let world: TestWorkspace;
beforeAll(async () => {
  ground = await createGround();
  world = await createWorkspace(ground.db);
});
afterAll(() => ground.close());

const at = new Date(MONDAY);
const tell = (callId: string, dedup: string): Promise<void> =>
  queueEvents(ground.db, world.id, [callId], { at, dedup, body: { call_id: callId } });
const take = (): Promise<DueDelivery[]> =>
  takeDeliveries(ground.db, {
    now: at,
    leaseUntil: new Date(MONDAY + 45_000),
    limit: 10,
    newReceivers: { quotaEach: 10, stalled: [] },
    quotas: [],
  });
const end = (taken: DueDelivery): Promise<void> => {
  const log = { attempt: taken.attempt, status: 200, body: 'thank you, Ravi', error: null };
  return finishDeliveries(ground.db, [{ taken, state: 'delivered', dueAt: MONDAY, log }]);
};
const attemptsOf = async (callId: string): Promise<unknown[]> => {
  const rows = await ground.db
    .selectFrom('deliveries')
    .select('attempts')
    .where('call_id', '=', callId)
    .execute();
  return rows.flatMap(({ attempts }) => attempts as unknown[]);
};

it('a receiver’s response is stored, unless its call was erased', async () => {
  const [kept = '', erased = ''] = await queueCalls(ground.db, world, 2);
  await tell(kept, 'before');
  await tell(erased, 'before');
  const taken = await take();
  expect(taken).toHaveLength(2);
  await ground.db.transaction().execute((tx) => eraseCallData(tx, world.id, [erased], at));
  for (const delivery of taken) await end(delivery);
  await tell(erased, 'after');
  for (const delivery of await take()) await end(delivery);

  expect(await attemptsOf(kept)).toEqual([{ attempt: 1, status: 200, body: 'thank you, Ravi', error: null }]);
  const bare = { attempt: 1, status: 200, error: null };
  expect(await attemptsOf(erased)).toEqual([bare, bare]);
});
