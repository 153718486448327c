import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { withIndexPlans } from '../../../src/store/plans.ts';
import type { Db } from '../../../src/store/database.ts';
import { finishDeliveries, takeDeliveries } from '../../../src/store/webhooks/deliveries.ts';
import { dueTimes } from '../../../src/store/webhooks/delivery-schedule.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
afterEach(() => database.close());

async function runAll(db: Db): Promise<void> {
  const now = new Date();
  const workspaceId = newId();
  const quotas = [{ workspaceId, host: 'example.com', quota: 3, since: now.getTime(), hanging: [] }];
  const input = { now, leaseUntil: now, limit: 10, quotas };
  await takeDeliveries(db, { ...input, newReceivers: { quotaEach: 4, stalled: [] } });
  await takeDeliveries(db, input);
  await dueTimes(db, now, now);
  const taken = { workspaceId, id: newId(), attempt: 1, leaseUntil: now.getTime() };
  await finishDeliveries(db, [{ taken, state: 'delivered', dueAt: now.getTime(), log: {} }]);
}

/** Every table access in the connection's cached plan, with the index it uses. */
async function readings(db: Db, name: string): Promise<string[]> {
  const plan = await withIndexPlans(db, 'now', async (tx) => {
    const { rows: known } = await sql<{ parameters: number }>`
      select cardinality(parameter_types) as parameters from pg_prepared_statements where name = ${name}`.execute(
      tx,
    );
    const nulls = Array.from({ length: known[0]?.parameters ?? 0 }, () => 'null').join(', ');
    return sql<{ 'QUERY PLAN': string }>`explain execute ${sql.raw(`${name}(${nulls})`)}`.execute(tx);
  });
  const lines = plan.rows.map((row) => row['QUERY PLAN'].replace(/ +\(cost.*/, '').trim());
  return lines.flatMap((line, n) => {
    const found =
      /(Seq|Bitmap|Index|Index Only|Tid)[\w ]* Scan.* on (delivery_queue|deliveries|events)\b|Scan using (\w+) on/.exec(
        line,
      );
    return found === null
      ? []
      : [`${line} ${lines[n + 1]?.includes('Cond') === true ? lines[n + 1] : ''}`.trim()];
  });
}

const CALL = /delivery_queue_of_call.*\(call_id = .*event_seq/;
const RECEIVER =
  /delivery_queue_of_receiver.*(host = .*workspace_id = .*due_at <=|ROW\(host, workspace_id\))/;
const KEY = /(delivery_queue|deliveries|events)_pkey.*workspace_id = .*\bid = /;
const PLACE = /^.*Tid Scan.*TID Cond/;
/** Finding the first receiver reads the start of the index. */
const FIRST = /Index Only Scan using delivery_queue_of_receiver on delivery_queue$/;

/** Disabled receivers: an index of few rows or none. */
const OUTAGE = /Index Only Scan using webhook_outages_disabled on webhook_outages/;

describe('query plans of the webhook queue', () => {
  it.each(['as they were made', 'analysed while empty'])(
    'use the index of each table: tables %s',
    async (state) => {
      database = await createTestDatabase({ maxConnections: 1 });
      if (state === 'analysed while empty') {
        await sql`vacuum analyze delivery_queue, deliveries, events`.execute(database.db);
      }
      await runAll(database.db);
      for (const name of ['take_deliveries', 'take_known_deliveries', 'due_times', 'finish_deliveries']) {
        const found = await readings(database.db, name);
        expect(found.length).toBeGreaterThanOrEqual(3);
        const others = found.filter(
          (line) => ![CALL, RECEIVER, KEY, PLACE, FIRST, OUTAGE].some((right) => right.test(line)),
        );
        expect({ name, others }).toEqual({ name, others: [] });
      }
    },
  );
});
