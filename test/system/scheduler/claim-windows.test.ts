import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { campaignRow, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace, MONDAY } from '../../helpers/database/workspace.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

describe('the window of a campaign', () => {
  it('holds the campaign row while closed and leaves its call rows unchanged', async () => {
    const w = await createWorkspace(dialing.db, { callConfig: { call_time: { call_end_time: '12:00' } } });
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts: 200 });
    const before = await dialing.callsOf(campaign);
    expect(await dialing.claim()).toMatchObject({ claimed: [], passedOver: 0 });
    expect(await dialing.callsOf(campaign)).toEqual(before);
    // Reconsidered after five minutes, because its settings may change.
    expect((await campaignRow(dialing.db, campaign)).next_due_at).toEqual(new Date(MONDAY + 300_000));
    expect(await dialing.claim()).toBeNull();
    dialing.clock.set(Date.UTC(2026, 0, 6, 3, 29));
    await dialing.claim();
    expect((await campaignRow(dialing.db, campaign)).next_due_at).toEqual(new Date('2026-01-06T03:30:00Z'));
    dialing.clock.set(Date.UTC(2026, 0, 6, 3, 30));
    await dialing.db
      .updateTable('campaigns')
      .set({ ramp_limit: 100, served_at: new Date(dialing.clock.now()) })
      .execute();
    expect(await dialing.taken()).toHaveLength(10);
  });

  it('overrides the agent’s window', async () => {
    const w = await createWorkspace(dialing.db, { callConfig: { call_time: { call_end_time: '12:00' } } });
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      callConfig: { call_time: { call_end_time: '18:00' } },
    });
    expect(await dialing.taken()).toHaveLength(10);
  });

  it('is overridden by the call’s and overrides the agent’s, key by key', async () => {
    // Agent: until 12:00; campaign: from 16:00 to 20:00.
    const w = await createWorkspace(dialing.db, { callConfig: { call_time: { call_end_time: '12:00' } } });
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      contacts: 4,
      callConfig: { call_time: { call_start_time: '16:00', call_end_time: '20:00' } },
    });
    const own = [
      { call_retry_config: { retry_count: 1 } },
      { call_time: { call_end_time: '18:00' } },
      { call_time: { call_start_time: '15:00' } },
      { call_time: { call_start_time: '09:00', call_end_time: '15:00' } },
    ];
    for (const [index, { id }] of (await dialing.callsOf(campaign)).entries()) {
      await dialing.db
        .updateTable('calls')
        .set({ call_config: JSON.stringify(own[index]) })
        .where('id', '=', id)
        .execute();
    }
    dialing.clock.set(Date.UTC(2026, 0, 5, 11, 0));
    await dialing.db
      .updateTable('campaigns')
      .set({ ramp_limit: 100, served_at: new Date(dialing.clock.now()) })
      .execute();
    const taken = await dialing.taken();
    const numbers = (await dialing.callsOf(campaign)).map((call) => call.to_number);
    // At 16:30 all windows are open except the one that ended at 15:00.
    expect(taken.map((c) => c.toNumber).toSorted()).toEqual(numbers.slice(0, 3).toSorted());
    expect(taken.find((c) => c.toNumber === numbers[1])?.callConfig).toEqual({
      callTime: { callStartTime: '16:00', callEndTime: '18:00', slots: null },
    });
    for (const c of taken) {
      const until = c.toNumber === numbers[1] ? Date.UTC(2026, 0, 5, 12, 30) : Date.UTC(2026, 0, 5, 14, 30);
      expect(await dial(dialing.deps, c)).toMatchObject({ go: true, ringUntil: until });
    }
  });

  it('defers callees in closed time zones in blocks, so that they do not starve others', async () => {
    const w = await createWorkspace(dialing.db);
    // 10:00 UTC: night in New York, afternoon in Kolkata.
    const contacts = [
      ...Array.from({ length: 700 }, (_, i) => ({ number: `+1212555${String(i).padStart(4, '0')}` })),
      { number: '+919876543210' },
    ];
    const campaign = await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, {
      contacts,
      callConfig: { call_time: { use_callee_timezone: true } },
    });
    const batches: number[] = [];
    let claimed: readonly Claimed[] = [];
    while (claimed.length === 0 && batches.length < 10) {
      const batch = await dialing.claim();
      batches.push(batch?.passedOver ?? 0);
      claimed = batch?.claimed ?? [];
    }
    expect(claimed.map((c) => c.toNumber)).toEqual(['+919876543210']);
    expect(batches.length).toBeLessThanOrEqual(3);
    const waiting = (await dialing.callsOf(campaign)).filter((c) => c.sub_status === 'WINDOW_CLOSED');
    expect(waiting).toHaveLength(700);
    // 09:00 in New York.
    expect(new Set(waiting.map((c) => c.next_attempt_at?.toISOString()))).toEqual(
      new Set(['2026-01-05T14:00:00.000Z']),
    );
  });
});
