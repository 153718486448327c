import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '../../../src/store/database.ts';
import {
  finishDeliveries,
  takeDeliveries,
  type DueDelivery,
} from '../../../src/store/webhooks/deliveries.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';
import { until } from '../../helpers/sip/peer-process.ts';
import { queueEvents } from '../../helpers/database/queued-events.ts';
import { createWorkspace, MONDAY, queueCalls, type TestWorkspace } from '../../helpers/database/workspace.ts';

let ground: Ground;
let world: TestWorkspace;
beforeAll(async () => {
  ground = await createGround();
  world = await createWorkspace(ground.db);
});
afterAll(() => ground.close());

const at = new Date(MONDAY);

/** Deliveries in flight, one event each. */
async function underWay(count: number): Promise<DueDelivery[]> {
  const calls = await queueCalls(ground.db, world, count);
  await queueEvents(ground.db, world.id, calls, { at });
  const leaseUntil = new Date(MONDAY + 45_000);
  return takeDeliveries(ground.db, {
    now: at,
    leaseUntil,
    limit: count,
    newReceivers: { quotaEach: count, stalled: [] },
    quotas: [],
  });
}

/** Stores all outcomes while another transaction that commits first changes one of the rows. */
async function finishBeside(
  taken: readonly DueDelivery[],
  change: (tx: Tx, id: string) => Promise<unknown>,
): Promise<void> {
  const log = { attempt: 1, status: 200, body: null, error: null };
  let finished = Promise.resolve();
  await ground.db.transaction().execute(async (tx) => {
    await change(tx, taken[1]?.id ?? '');
    const ended = taken.map((each) => ({ taken: each, state: 'delivered' as const, dueAt: MONDAY, log }));
    finished = finishDeliveries(ground.db, ended);
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%hot:finish_deliveries %'`.execute(ground.db);
      return rows.length > 0;
    }, 'the outcome at a locked row');
  });
  await finished;
}

const stateOf = async (taken: readonly DueDelivery[]): Promise<unknown> => {
  const ids = taken.map(({ id }) => id);
  const log = await ground.db
    .selectFrom('deliveries')
    .select(['state', sql<number>`jsonb_array_length(attempts)`.as('attempts')])
    .where('id', 'in', ids)
    .execute();
  const queue = await ground.db.selectFrom('delivery_queue').select('id').where('id', 'in', ids).execute();
  return { log, queued: queue.length };
};
const DELIVERED = { state: 'delivered', attempts: 1 };

describe('outcomes stored concurrently with other writes to the same rows', () => {
  it('reach the log of a changed delivery', async () => {
    const taken = await underWay(3);
    await finishBeside(taken, (tx, id) =>
      sql`update deliveries set without_answers = true where id = ${id}`.execute(tx),
    );
    expect(await stateOf(taken)).toEqual({ log: [DELIVERED, DELIVERED, DELIVERED], queued: 0 });
  });

  it('finish a delivery whose queue row was changed', async () => {
    const taken = await underWay(3);
    await finishBeside(taken, (tx, id) =>
      sql`update delivery_queue set due_at = due_at + interval '1 second' where id = ${id}`.execute(tx),
    );
    expect(await stateOf(taken)).toEqual({ log: [DELIVERED, DELIVERED, DELIVERED], queued: 0 });
  });

  it('do not affect a delivery that another process has leased', async () => {
    const taken = await underWay(3);
    await finishBeside(taken, (tx, id) =>
      sql`update delivery_queue set attempt = 2, leased_until = leased_until + interval '1 minute'
        where id = ${id}`.execute(tx),
    );
    const { log, queued } = (await stateOf(taken)) as { log: { state: string }[]; queued: number };
    expect(queued).toBe(1);
    expect(log.map(({ state }) => state).toSorted()).toEqual(['delivered', 'delivered', 'due']);
  });
});
