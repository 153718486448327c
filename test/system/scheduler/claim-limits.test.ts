import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { setLimits, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace, MONDAY, queueCalls } from '../../helpers/database/workspace.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

describe('the limits of a workspace', () => {
  it('bound concurrent calls per destination and deny destinations', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 50 });
    await setLimits(dialing.db, w, {
      destination_calls: { '+1212': 2, IN: 1 },
      denied_destinations: ['+4490'],
    });
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      contacts: [
        ...Array.from({ length: 6 }, (_, i) => ({ number: `+1212555000${i}` })),
        { number: '+919876543210' },
        { number: '+919876543211' },
        { number: '+449012345678' },
        { number: '+13105550199' },
      ],
    });
    const claimed = (await dialing.taken()).map((c) => c.toNumber);
    expect(claimed).toEqual(['+12125550000', '+12125550001', '+919876543210', '+13105550199']);
    const rows = await dialing.callsOf(campaign);
    expect(rows.find((c) => c.to_number === '+449012345678')).toMatchObject({
      status: 'error',
      sub_status: 'NOT_ABLE_TO_CALL',
    });
    // The others are deferred, spread over the time in which live calls end.
    const held = rows.filter((c) => c.sub_status === 'LIMIT_REACHED');
    expect(held).toHaveLength(5);
    expect(held.map((c) => (c.next_attempt_at?.getTime() ?? 0) - MONDAY)).toEqual([
      5000, 5000, 35_000, 35_000, 5000,
    ]);
    await setLimits(dialing.db, w, { allowed_destinations: ['IN'] });
    dialing.clock.advance(5_000);
    expect((await dialing.taken()).map((c) => c.toNumber)).toEqual(['+919876543211']);
  });

  it('bound the attempts to one callee across campaigns and individual calls', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 50 });
    await setLimits(dialing.db, w, { callee_frequency: { attempts: 2, hours: 24 } });
    const number = '+12125550177';
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: [{ number }] });
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      contacts: [{ number }],
    });
    await queueCalls(dialing.db, w, 1, { to: number });
    const all: Claimed[] = [];
    for (let n = 0; n < 5; n += 1) {
      all.push(...(await dialing.taken()));
      dialing.clock.advance(1_000);
    }
    expect(all).toHaveLength(2);
    const held = await dialing.db
      .selectFrom('calls')
      .selectAll()
      .where('status', '=', 'registered')
      .execute();
    expect(held).toMatchObject([
      { sub_status: 'LIMIT_REACHED', next_attempt_at: new Date(MONDAY + 24 * 3_600_000) },
    ]);
    dialing.clock.set(MONDAY + 24 * 3_600_000);
    await dialing.db
      .updateTable('campaigns')
      .set({ served_at: new Date(dialing.clock.now()) })
      .where('id', '=', campaign)
      .execute();
    await sql`update agent_versions set config = jsonb_set(config, '{call_config,call_time}',
      '{"call_start_time":"00:00","call_end_time":"00:00"}')`.execute(dialing.db);
    expect(await dialing.taken()).toHaveLength(1);
  });
});
