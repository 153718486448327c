import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { setLimits, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace, MONDAY, type TestWorkspace } from '../../helpers/database/workspace.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

/** Creates a pool of all the workspace's numbers. */
async function poolOf(w: TestWorkspace): Promise<string> {
  const id = newId();
  const stamps = { created_at: new Date(MONDAY), updated_at: new Date(MONDAY) };
  await dialing.db
    .insertInto('number_pools')
    .values({ workspace_id: w.id, id, name: 'pool', ...stamps })
    .execute();
  await dialing.db
    .updateTable('numbers')
    .set({ number_pool_id: id })
    .where('workspace_id', '=', w.id)
    .execute();
  return id;
}

describe('caller numbers', () => {
  it('of a pool rotate; spam, test and full numbers are skipped', async () => {
    const w = await createWorkspace(dialing.db, {
      callLimit: 100,
      numbers: [{}, { callLimit: 1 }, {}, {}, {}],
    });
    const poolId = await poolOf(w);
    const [a = '', b = '', c = '', spam = '', test = ''] = w.numberIds;
    await dialing.db.updateTable('numbers').set({ is_spam: true }).where('id', '=', spam).execute();
    await dialing.db.updateTable('numbers').set({ is_test_number: true }).where('id', '=', test).execute();
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 50, poolId });
    const used = (await dialing.taken(8)).map((call) => call.numberId);
    expect(used.slice(0, 3)).toEqual([a, b, c]);
    expect(used.filter((id) => id === b)).toHaveLength(1);
    expect(used.filter((id) => id === a).length - used.filter((id) => id === c).length).toBeLessThanOrEqual(
      1,
    );
    // The rotation continues in the next batch, even within one clock tick.
    const last = used.at(-1);
    expect((await dialing.taken(1))[0]?.numberId).toBe(last === a ? c : a);
  });

  it('rest while their answer rate is far below the mean, but never all at once', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 100, numbers: [{}, {}, {}] });
    await setLimits(dialing.db, w, { number_rest: { attempts: 10, minutes: 30 } });
    const [tired = '', good = '', fine = ''] = w.numberIds;
    const attempts = async (numberId: string, answered: number): Promise<void> => {
      await sql`insert into call_attempts (workspace_id, call_id, attempt, node_id, status, claimed_at, number_id,
          answered_at, ended_at)
        select ${w.id}, gen_random_uuid(), 1, ${dialing.deps.nodeId}, 'ended', ${new Date(dialing.clock.now())}, ${numberId},
          case when i <= ${answered} then ${new Date(dialing.clock.now())}::timestamptz end, ${new Date(dialing.clock.now())}
        from generate_series(1, 10) i`.execute(dialing.db);
    };
    await attempts(tired, 1);
    await attempts(good, 8);
    await attempts(fine, 7);
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 90 });
    await dialing.taken(1);
    const rest = async (): Promise<(string | null)[]> =>
      (await dialing.db.selectFrom('numbers').select('rest_until').orderBy('number').execute()).map(
        (n) => n.rest_until?.toISOString() ?? null,
      );
    expect(await rest()).toEqual([new Date(MONDAY + 30 * 60_000).toISOString(), null, null]);
    const used = new Set((await dialing.taken(20)).map((c) => c.numberId));
    expect(used).toEqual(new Set([good, fine]));
    // After the rest only new attempts count.
    dialing.clock.advance(30 * 60_000 + 1);
    await dialing.db
      .updateTable('campaigns')
      .set({ ramp_limit: 1000, served_at: new Date(dialing.clock.now()) })
      .execute();
    await dialing.taken(1);
    expect((await dialing.taken(20)).some((c) => c.numberId === tired)).toBe(true);
    // If all numbers rest, they are used anyway.
    await dialing.db
      .updateTable('numbers')
      .set({ rest_until: new Date(dialing.clock.now() + 60_000) })
      .execute();
    expect((await dialing.taken(20)).length).toBeGreaterThan(0);
  });
});
