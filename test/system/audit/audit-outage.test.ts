import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuditTrail } from '../../../src/domain/audit/audit-trail.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('stores the entries of reads whose response was sent while the database was away, once each', async () => {
  let isAway = true;
  const db = new Proxy(database.db, {
    get(target, name) {
      if (isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const trail = new AuditTrail({ db, clock: new ManualClock(), log: silentLog });
  const workspaceId = newId();
  const requests = Array.from({ length: 450 }, (_, n) => `req_${n}`);
  const answered = requests.map((requestId) =>
    trail.append({
      workspaceId,
      actor: { type: 'api_key', name: 'cw_live_…1234' },
      action: 'getCall',
      method: 'GET',
      route: '/api/v0/calling/call-details',
      status: 200,
      objects: { call_id: newId() },
      requestId,
      address: null,
    }),
  );
  // No response waits for the end of the outage.
  await Promise.all(answered);
  expect(await stored(workspaceId)).toEqual([]);
  isAway = false;
  await trail.settled();
  expect(await stored(workspaceId)).toEqual(requests.toSorted());
});

async function stored(workspaceId: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom('audit_log')
    .select('request_id')
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.map((row) => row.request_id).toSorted();
}
