import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace, MONDAY } from '../../helpers/database/workspace.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

describe('the versions of an A/B test', () => {
  it('are assigned at the first attempt by weight and kept for retries', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 500 });
    const second = newId();
    await sql`insert into agent_versions select workspace_id, agent_id, ${second}, 'v2', description, 30, config,
      created_at + interval '1 second', updated_at from agent_versions where id = ${w.versionId}`.execute(
      dialing.db,
    );
    await dialing.db
      .updateTable('agent_versions')
      .set({ call_traffic: 70 })
      .where('id', '=', w.versionId)
      .execute();
    await dialing.db
      .updateTable('agents')
      .set({ ab_started_at: new Date(MONDAY) })
      .execute();
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 120 });
    const first = new Map<string, string>();
    for (let n = 0; n < 5; n += 1) {
      for (const c of await dialing.taken()) {
        first.set(c.callId, c.versionId);
        await dialing.settle(c);
      }
    }
    expect(first.size).toBe(120);
    const share = [...first.values()].filter((id) => id === second).length / 120;
    // Five standard deviations.
    expect(Math.abs(share - 0.3)).toBeLessThan(0.21);
    expect(new Map((await dialing.callsOf(campaign)).map((c) => [c.id, c.version_id]))).toEqual(first);
    await dialing.db
      .updateTable('agent_versions')
      .set({ call_traffic: 0 })
      .where('id', '=', second)
      .execute();
    dialing.clock.advance(31 * 60_000);
    await dialing.db
      .updateTable('campaigns')
      .set({ ramp_limit: 1000, served_at: new Date(dialing.clock.now()) })
      .execute();
    for (const c of await dialing.taken()) expect([c.attempt, c.versionId]).toEqual([2, first.get(c.callId)]);
  });
});
