import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { newId } from '../../../src/shared/ids.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

/** Claims `batches` batches, one every `everyMs`. */
async function taken(batches: number, everyMs: number): Promise<Claimed[]> {
  const claimed: Claimed[] = [];
  for (let n = 0; n < batches; n += 1) {
    dialing.clock.advance(everyMs);
    claimed.push(...(await dialing.taken(1000)));
  }
  return claimed;
}

describe('more campaigns than one batch reads', () => {
  it('campaigns at their share do not starve one with free capacity', async () => {
    const workspace = await createWorkspace(dialing.db, { callLimit: 100 });
    for (let n = 0; n < 17; n += 1) {
      dialing.clock.advance(1);
      await startedCampaign(dialing, workspace, { contacts: 20, percentage: 1 });
    }
    const live = await taken(6, 10);
    expect(new Set(live.map((call) => call.campaignId)).size).toBe(17);
    const last = live.at(-1);
    if (last === undefined) throw new Error('nothing was claimed');
    await dialing.settle(last, { kind: 'answered', reason: 'USER_LEFT' });
    const next = await taken(5, 1000);
    expect(next.map((call) => call.campaignId)).toEqual([last.campaignId]);
  });

  it('campaigns with busy numbers do not starve one with a free number', async () => {
    const workspace = await createWorkspace(dialing.db, { callLimit: 100, numbers: [{ callLimit: 1 }, {}] });
    for (let n = 0; n < 16; n += 1) await startedCampaign(dialing, workspace, { contacts: 20, numbers: [0] });
    await taken(1, 1);
    const free = await startedCampaign(dialing, workspace, { contacts: 20, numbers: [1] });
    expect((await taken(5, 1000)).filter((call) => call.campaignId === free).length).toBeGreaterThan(0);
  });
});

describe('a pool with more numbers than one batch reads', () => {
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
    await startedCampaign(dialing, workspace, { contacts: 1000, poolId: pool });
    return taken(40, 10);
  }

  it('busy numbers do not starve free ones', async () => {
    const live = await openPool();
    expect(live).toHaveLength(POOL);
    // Frees the most recently used numbers, while the less recently used ones stay busy.
    const free = live.slice(-20);
    for (const call of free) await dialing.settle(call, { kind: 'answered', reason: 'USER_LEFT' });
    const next = await taken(3, 1000);
    expect(new Set(next.map((call) => call.numberId))).toEqual(new Set(free.map((call) => call.numberId)));
  });
});
