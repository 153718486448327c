import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../src/dialer/claim.ts';
import { newId } from '../../src/shared/ids.ts';
import { createDialing, type Dialing } from '../helpers/dialing.ts';
import { startLane } from '../helpers/lanes.ts';
import { createWorkspace } from '../helpers/world.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

/** What is claimed in so many looks, one every `everyMs`. */
async function taken(looks: number, everyMs: number): Promise<Claimed[]> {
  const claimed: Claimed[] = [];
  for (let n = 0; n < looks; n += 1) {
    dialing.clock.advance(everyMs);
    claimed.push(...(await dialing.taken(1000)));
  }
  return claimed;
}

describe('more campaigns than a turn looks at', () => {
  it('one with room is not hidden by those that have their share', async () => {
    const workspace = await createWorkspace(dialing.db, { callLimit: 100 });
    for (let n = 0; n < 17; n += 1) {
      dialing.clock.advance(1);
      await startLane(dialing, workspace, { contacts: 20, percentage: 1 });
    }
    const live = await taken(6, 10);
    expect(new Set(live.map((call) => call.laneId)).size).toBe(17);
    const last = live.at(-1);
    if (last === undefined) throw new Error('nothing was claimed');
    await dialing.settle(last, { kind: 'answered', reason: 'USER_LEFT' });
    const next = await taken(5, 1000);
    expect(next.map((call) => call.laneId)).toEqual([last.laneId]);
  });

  it('one with a free number is not hidden by those whose number is busy', async () => {
    const workspace = await createWorkspace(dialing.db, { callLimit: 100, numbers: [{ callLimit: 1 }, {}] });
    for (let n = 0; n < 16; n += 1) await startLane(dialing, workspace, { contacts: 20, numbers: [0] });
    await taken(1, 1);
    const free = await startLane(dialing, workspace, { contacts: 20, numbers: [1] });
    expect((await taken(5, 1000)).filter((call) => call.laneId === free).length).toBeGreaterThan(0);
  });
});

describe('a pool of more numbers than a turn looks at', () => {
  const POOL = 300;

  async function openPool(): Promise<Claimed[]> {
    const workspace = await createWorkspace(dialing.db, { callLimit: 1000, credits: 100_000 });
    const pool = newId();
    await sql`insert into number_pools (workspace_id, id, name, created_at, updated_at)
      values (${workspace.id}, ${pool}, 'Pool', now(), now())`.execute(dialing.db);
    await sql`
      insert into numbers (workspace_id, id, number, trunk_id, call_limit, number_pool_id, created_at, updated_at)
      select ${workspace.id}, gen_random_uuid(), '+1646555' || lpad(i::text, 4, '0'),
             (select trunk_id from numbers where workspace_id = ${workspace.id} limit 1), 1, ${pool}, now(), now()
      from generate_series(1, ${POOL}::int) i`.execute(dialing.db);
    await startLane(dialing, workspace, { contacts: 1000, poolId: pool });
    return taken(40, 10);
  }

  it('numbers that are free are not hidden by those that talk', async () => {
    const live = await openPool();
    expect(live).toHaveLength(POOL);
    // Those used last come free: the others were used longer ago, and go on.
    const free = live.slice(-20);
    for (const call of free) await dialing.settle(call, { kind: 'answered', reason: 'USER_LEFT' });
    const next = await taken(3, 1000);
    expect(new Set(next.map((call) => call.numberId))).toEqual(new Set(free.map((call) => call.numberId)));
  });
});
