import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepCampaigns } from '../../../src/domain/campaigns/keeper.ts';
import { CampaignKeeper } from '../../../src/jobs/campaign-keeper.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { AttemptEnd } from '../../../src/domain/calls/attempt/next-step.ts';
import type { CampaignState } from '../../../src/store/schema.ts';
import { checkStoredEvents } from '../../helpers/webhooks/event-schemas.ts';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import {
  claimContact,
  dialContact,
  recount,
  settleContact,
  stateOf,
} from '../../helpers/campaigns/campaigns.ts';
import { openCampaignOffice, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';

let office: CampaignOffice;
let woken = 0;
const keepers: CampaignKeeper[] = [];
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(async () => {
  await office.renew();
  woken = 0;
});
afterEach(async () => {
  for (const keeper of keepers.splice(0)) await keeper.stop();
});
afterEach(() => checkStoredEvents(office.api.db));
afterAll(() => office.api.close());

const HOOK = 'https://example.com/campaign';
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const deps = () => ({
  db: office.api.db,
  clock: office.api.clock,
  rate,
  wakeScheduler: () => {
    woken += 1;
  },
});
const keep = async (): Promise<void> => {
  while (await keepCampaigns(deps()));
};
const started = (
  options: Parameters<CampaignOffice['started']>[0] = {},
  change: Record<string, unknown> = {},
): Promise<string> => office.started(options, { callback_url: HOOK, ...change });

const messageOf = async (id: string): Promise<unknown> =>
  ((await office.ask('GET', `/campaign/${id}`)).body['campaign'] as { message: unknown }).message;
/** Claims one due contact and settles it with this outcome; false when none is due. */
async function call(id: string, end: AttemptEnd, sipCode: number | null = null): Promise<boolean> {
  office.api.clock.advance(10);
  const ref = await claimContact(office.api, office.tenant, id, office.nodeId);
  if (ref === null) return false;
  await dialContact(office.api, ref);
  await settleContact(office.api, ref, end, sipCode);
  return true;
}
const TALKED: AttemptEnd = { kind: 'answered', reason: 'USER_LEFT' };
const unanswered = (failure: 'busy' | 'no_answer' | 'failed' | 'invalid_number'): AttemptEnd => ({
  kind: 'not_answered',
  failure,
});
const deliver = (id: string) =>
  office.api.db
    .deleteFrom('delivery_queue')
    .where('workspace_id', '=', office.tenant.workspaceId)
    .where('campaign_id', '=', id)
    .execute();
const eventsOf = (id: string) =>
  office.api.db.selectFrom('events').select(['event_type', 'body']).where('call_id', '=', id).execute();
const setCredits = (credits: number) =>
  office.api.db
    .updateTable('workspaces')
    .set({ credits })
    .where('id', '=', office.tenant.workspaceId)
    .execute();

describe('completion', () => {
  it('follows the last call; campaign_completed follows the deliveries of the calls’ events', async () => {
    const id = await started({ contacts: 3, callConfig: { call_retry_config: { retry_count: 0 } } });
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('scheduled');
    await call(id, TALKED);
    await call(id, unanswered('busy'));
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('ongoing');
    office.api.clock.advance(5000);
    await call(id, { kind: 'crashed' });
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('completed');
    expect(await eventsOf(id)).toEqual([]);

    const completions = await office.api.db
      .selectFrom('deliveries as d')
      .innerJoin('events as e', 'e.id', 'd.event_id')
      .select(['d.url', 'd.campaign_id', 'e.event_type'])
      .where('d.workspace_id', '=', office.tenant.workspaceId)
      .execute();
    const one = { url: HOOK, campaign_id: id, event_type: 'call_completed' };
    expect(completions).toEqual([one, one, one]);
    await deliver(id);
    await keep();
    await keep();
    const events = await eventsOf(id);
    expect(events).toHaveLength(1);
    expect(events[0]?.body).toMatchObject({
      event_type: 'campaign_completed',
      bulk_list_id: id,
      campaign_name: 'Spring',
      status: 'completed',
      workspace_id: office.tenant.workspaceId,
      agent_id: office.agent.agentId,
      agent_name: 'Reminder',
      counts: {
        total_count: 3,
        registered_count: 0,
        ongoing_count: 0,
        retry_count: 0,
        completed_count: 1,
        failed_count: 2,
        cancelled_count: 0,
      },
      started_at: new Date(office.api.clock.now() - 5000 - 20).toISOString(),
      ended_at: new Date(office.api.clock.now()).toISOString(),
    });
    const last = await office.api.db
      .selectFrom('deliveries')
      .select(['url', 'method', 'state'])
      .where('call_id', '=', id)
      .execute();
    expect(last).toEqual([{ url: HOOK, method: 'POST', state: 'due' }]);
  });

  it('is reported once by concurrent keepers, also for terminated campaigns', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => started({ contacts: 2 })));
    for (const id of ids.slice(0, 3)) while (await call(id, TALKED));
    for (const id of ids.slice(3)) await office.ask('PATCH', '/campaign/terminate', { campaign_id: id });
    let looks = 0;
    for (let n = 0; n < 3; n += 1) {
      const keeper = new CampaignKeeper({
        ...deps(),
        log: silentLog,
        pollMs: 5,
        onPolled: () => {
          looks += 1;
        },
      });
      keepers.push(keeper);
      keeper.start();
    }
    const until = async (isDone: () => Promise<boolean>): Promise<void> => {
      while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const over = async (): Promise<CampaignState[]> =>
      Promise.all(ids.map((id) => stateOf(office.api.db, id)));
    await until(async () => (await over()).every((s) => s === 'completed' || s === 'terminated'));
    await Promise.all(ids.map(deliver));
    await until(async () => (await Promise.all(ids.map(eventsOf))).every((events) => events.length > 0));
    const seen = looks;
    await until(async () => looks > seen + 6);
    const events = await Promise.all(ids.map(eventsOf));
    expect(events.map((list) => list.length)).toEqual(Array(6).fill(1));
    expect(events.map(([event]) => event?.body['status'])).toEqual([
      ...Array<string>(3).fill('completed'),
      ...Array<string>(3).fill('terminated'),
    ]);
  });

  it('waits for live calls of a terminated campaign', async () => {
    const id = await started({ contacts: 2 });
    const live = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, live!);
    await office.ask('PATCH', '/campaign/terminate', { campaign_id: id });
    await deliver(id);
    await keep();
    expect(await eventsOf(id)).toEqual([]);
    await settleContact(office.api, live!, TALKED);
    await deliver(id);
    await keep();
    expect((await eventsOf(id))[0]?.body).toMatchObject({
      status: 'terminated',
      counts: { total_count: 2, completed_count: 1, cancelled_count: 1 },
    });
  });

  it('cancels the waiting calls when the end time passes', async () => {
    const endAt = new Date(office.api.clock.now() + 60_000);
    const id = await started({ contacts: 3, endAt });
    await call(id, TALKED);
    const live = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, live!);
    office.api.clock.advance(60_000);
    await keep();
    expect(await recount(office.api.db, id)).toEqual({ completed: 1, ongoing: 1, cancelled: 1 });
    const { sub_status } = await office.api.db
      .selectFrom('calls')
      .select('sub_status')
      .where('campaign_id', '=', id)
      .where('status', '=', 'cancelled')
      .executeTakeFirstOrThrow();
    expect(sub_status).toBe('CAMPAIGN_TIME_EXCEEDED');
    expect(await stateOf(office.api.db, id)).toBe('ongoing');
    await settleContact(office.api, live!, TALKED);
    await keep();
    expect([await stateOf(office.api.db, id), await messageOf(id)]).toEqual([
      'completed',
      'campaign_end_time passed',
    ]);
  });

  it('completes a paused campaign when its end time passes', async () => {
    const id = await started({ endAt: new Date(office.api.clock.now() + 60_000) });
    await office.ask('PATCH', '/campaign/pause', { campaign_id: id });
    office.api.clock.advance(60_000);
    expect((await office.ask('PATCH', '/campaign/resume', { campaign_id: id })).status).toBe(400);
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('completed');
    expect(await recount(office.api.db, id)).toEqual({ cancelled: 3 });
  });
});

describe('the circuit breaker', () => {
  const breaker = { failed_share: 0.5, window_calls: 6, minimum_calls: 4 };

  it('pauses the campaign with a message when enough of the last calls failed at the carrier or in the service', async () => {
    const id = await started({ contacts: 20 }, { circuit_breaker: breaker });
    for (const end of [unanswered('failed'), TALKED, unanswered('invalid_number')]) await call(id, end);
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('ongoing');
    await call(id, TALKED);
    await keep();
    expect([await stateOf(office.api.db, id), await messageOf(id)]).toEqual([
      'paused',
      'Paused by the circuit breaker: 2 of the last 4 calls failed at the carrier or in the service',
    ]);
    expect(await claimContact(office.api, office.tenant, id, office.nodeId)).toBeNull();
  });

  it('counts 5xx as a failure, busy and unanswered callees not', async () => {
    const id = await started({ contacts: 20 }, { circuit_breaker: breaker });
    for (let n = 0; n < 4; n += 1) await call(id, unanswered(n % 2 === 0 ? 'busy' : 'no_answer'), 486);
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('ongoing');
    for (let n = 0; n < 3; n += 1) await call(id, unanswered('no_answer'), 503);
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('paused');
  });

  it('counts only calls after a resume, and only the last window of them', async () => {
    const id = await started({ contacts: 30 }, { circuit_breaker: breaker });
    for (let n = 0; n < 4; n += 1) await call(id, unanswered('failed'));
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('paused');
    office.api.clock.advance(1000);
    expect((await office.ask('PATCH', '/campaign/resume', { campaign_id: id })).status).toBe(200);
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('ongoing');
    office.api.clock.advance(1000);
    for (let n = 0; n < 4; n += 1) await call(id, unanswered('failed'));
    for (let n = 0; n < 4; n += 1) await call(id, TALKED);
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('ongoing');
  });

  it('applies the workspace’s rules when the campaign has none', async () => {
    office.tenant = await createTenant(office.api, {
      settings: { circuit_breaker: { minimum_calls: 2, failed_share: 1 } },
    });
    office.agent = await createTestAgent(office.api, office.tenant);
    const id = await started({ contacts: 5 });
    for (let n = 0; n < 2; n += 1) await call(id, unanswered('failed'));
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('paused');
  });
});

describe('money', () => {
  it('holds a campaign that cannot pay for another call and resumes it when the balance covers one', async () => {
    office.tenant = await createTenant(office.api, { credits: 3_000_000 });
    office.agent = await createTestAgent(office.api, office.tenant);
    const id = await started({ contacts: 3 });
    await setCredits(999_999);
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('insufficient_balance');
    expect(await claimContact(office.api, office.tenant, id, office.nodeId)).toBeNull();
    expect((await office.ask('PATCH', '/campaign/resume', { campaign_id: id })).status).toBe(402);
    expect(woken).toBe(0);
    await setCredits(1_000_000);
    await keep();
    expect([await stateOf(office.api.db, id), woken]).toEqual(['scheduled', 1]);
    await setCredits(0);
    await keep();
    await setCredits(1_000_000);
    const resumed = await office.ask('PATCH', '/campaign/resume', { campaign_id: id });
    expect([resumed.status, resumed.body['campaign_status']]).toEqual([200, 'scheduled']);
  });

  it('waits while locked credits may be released, and never holds a workspace with unlimited credits', async () => {
    office.tenant = await createTenant(office.api, { credits: 3_000_000 });
    office.agent = await createTestAgent(office.api, office.tenant);
    const id = await started({ contacts: 3 });
    await claimContact(office.api, office.tenant, id, office.nodeId, 3_000_000);
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('ongoing');
    office.tenant = await createTenant(office.api, { credits: 0, unlimited: true });
    office.agent = await createTestAgent(office.api, office.tenant);
    const free = await started({ contacts: 3 });
    await keep();
    expect(await stateOf(office.api.db, free)).toBe('scheduled');
  });
});
