import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptEnd } from '../../../src/domain/calls/attempt/next-step.ts';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { signedIn } from '../../helpers/browser/browser.ts';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';
import { claimContact, dialContact, settleContact } from '../../helpers/campaigns/campaigns.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(async () => {
  await office.renew({ credits: 10_000_000_000 });
  // Monday, 10:00 in India.
  office.api.clock.set(Date.parse('2026-01-05T04:30:00Z'));
});
afterAll(() => office.api.close());

const MINUTE_MS = 60_000;
const ANSWERED: AttemptEnd = { kind: 'answered', reason: 'USER_LEFT' };
const NO_ANSWER: AttemptEnd = { kind: 'not_answered', failure: 'no_answer' };
const WINDOW = { call_start_time: '09:00', call_end_time: '18:00', timezone: 'Asia/Kolkata' };
const CONFIG = { call_time: WINDOW, call_retry_config: { retry_count: 1, retry_not_picked: 30 } };

/** Each contact in turn is called for half a minute. */
async function callEach(id: string, ends: readonly AttemptEnd[]): Promise<void> {
  for (const end of ends) {
    const ref = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, ref!);
    office.api.clock.advance(MINUTE_MS / 2);
    await settleContact(office.api, ref!, end);
  }
}
const ask = (id: string, part: string, key?: string) =>
  office.ask('GET', `/campaign/${id}/${part}`, undefined, key);

describe('the progress of a campaign', () => {
  it('has its window, its pace, the end within the window, and what the breaker counts', async () => {
    const id = await office.started({ contacts: 70, callConfig: CONFIG }, { concurrency_percentage: 25 });
    const before = (await ask(id, 'progress')).body;
    expect(before).toMatchObject({
      calling_window: { timezone: 'Asia/Kolkata', slots: [{ start: '09:00', end: '18:00' }], is_open: true },
      pace: { calls_per_minute: 0, live_calls: 0, max_live_calls: 3 },
      estimate: { calls_left: 70, minutes_left: null, ends_at: null, is_cut_off: false },
      waiting: { reason: 'IN_DB' },
    });
    expect(before).toMatchObject({
      calling_window: { closes_at: '2026-01-05T12:30:00.000Z', opens_at: null },
    });
    // The breaker counts calls after the start.
    office.api.clock.advance(1000);
    await callEach(id, [
      ...Array.from({ length: 15 }, () => ANSWERED),
      ...Array.from({ length: 5 }, () => NO_ANSWER),
    ]);
    const after = (await ask(id, 'progress')).body as any;
    // 20 calls in ten minutes; 0.25 of the contacts need a second call.
    expect(after.pace.calls_per_minute).toBeCloseTo(2, 0);
    expect(after.estimate.calls_left).toBe(50 * 1.25 + 5);
    expect(after.estimate.minutes_left).toBeCloseTo(67.5 / after.pace.calls_per_minute, 0);
    expect(Date.parse(after.estimate.ends_at)).toBeGreaterThan(office.api.clock.now() + 30 * MINUTE_MS);
    expect(after.circuit_breaker).toMatchObject({ last_calls: 20, failed_calls: 0, window_calls: 50 });

    // 17:50 in India: what is left takes until tomorrow.
    office.api.clock.set(Date.parse('2026-01-05T12:20:00Z'));
    const evening = (await ask(id, 'progress')).body as any;
    expect(evening.pace.calls_per_minute).toBe(0);
    expect(evening.estimate.ends_at > '2026-01-06T03:30:00.000Z').toBe(true);
    office.api.clock.set(Date.parse('2026-01-05T13:00:00Z'));
    expect((await ask(id, 'progress')).body).toMatchObject({
      calling_window: { is_open: false, opens_at: '2026-01-06T03:30:00.000Z', closes_at: null },
    });
    await office.ask('PATCH', '/campaign/pause', { campaign_id: id });
    expect((await ask(id, 'progress')).body).toMatchObject({ estimate: { ends_at: null } });
  });

  it('says that the end of the campaign comes too early, and gives no end for windows of each contact', async () => {
    const endAt = new Date('2026-01-05T04:50:00Z');
    const id = await office.started({ contacts: 70, callConfig: CONFIG, endAt });
    await callEach(id, [ANSWERED, ANSWERED]);
    expect((await ask(id, 'progress')).body).toMatchObject({ estimate: { is_cut_off: true } });
    const byCallee = { call_time: { ...WINDOW, use_callee_timezone: true } };
    const other = await office.started({ contacts: 9, callConfig: byCallee });
    await callEach(other, [ANSWERED]);
    expect((await ask(other, 'progress')).body).toMatchObject({
      calling_window: { use_callee_timezone: true, opens_at: null, closes_at: null },
      estimate: { calls_left: 8, ends_at: null, minutes_left: expect.any(Number) },
    });
  });
});

describe('the statistics of a campaign', () => {
  it('sum its attempts by hour of its zone, by quarter of an hour and by retry, folded or not', async () => {
    const id = await office.started({ contacts: 6, callConfig: CONFIG });
    await callEach(id, [ANSWERED, NO_ANSWER, NO_ANSWER]);
    const half = (await ask(id, 'statistics')).body;
    expect(half).toEqual({
      campaign_id: id,
      timezone: 'Asia/Kolkata',
      hours: [{ day: 'mon', hour: 10, calls: 3, answered: 1 }],
      course: [{ at: '2026-01-05T04:30:00.000Z', calls: 3, answered: 1 }],
      total_attempts: 3,
      answered_attempts: 1,
      answer_rate: 0.3333,
      results: [{ result: 'Hung up at once', source: 'ending', calls: 1 }],
      attempts: [{ attempt: 1, calls: 3, answered: 1, not_answered: 2, live: 0, waiting: 2, remaining: 2 }],
    });
    office.api.clock.set(Date.parse('2026-01-05T05:30:00Z'));
    // Those that wait for a retry are first on the list.
    await callEach(id, [ANSWERED, NO_ANSWER, ANSWERED]);
    const live = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, live!);
    const whole = {
      hours: [
        { day: 'mon', hour: 10, calls: 3, answered: 1 },
        { day: 'mon', hour: 11, calls: 3, answered: 2 },
      ],
      course: [
        { at: '2026-01-05T04:30:00.000Z', calls: 3, answered: 1 },
        { at: '2026-01-05T05:30:00.000Z', calls: 3, answered: 2 },
      ],
      attempts: [
        { attempt: 1, calls: 4, answered: 2, not_answered: 2, live: 1, waiting: 0, remaining: 2 },
        { attempt: 2, calls: 2, answered: 1, not_answered: 1, live: 0, waiting: 0, remaining: 0 },
      ],
    };
    expect((await ask(id, 'statistics')).body).toMatchObject(whole);
    const { db } = office.api;
    await db.transaction().execute((tx) => foldEndings(tx, office.tenant.workspaceId, 4));
    expect((await ask(id, 'statistics')).body).toMatchObject(whole);
    await db.transaction().execute((tx) => foldEndings(tx, office.tenant.workspaceId, 4));
    expect((await ask(id, 'statistics')).body).toMatchObject(whole);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ended_attempts
      where workspace_id = ${office.tenant.workspaceId}`.execute(db);
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('the contacts of a campaign', () => {
  it('are listed in the order of the list, by state and number, page by page, and as a report', async () => {
    const id = await office.started({ contacts: 7, callConfig: CONFIG });
    await callEach(id, [ANSWERED, NO_ANSWER, { kind: 'not_answered', failure: 'invalid_number' }, ANSWERED]);
    const page = async (query: string) => (await ask(id, `contacts?${query}`)).body as any;
    const first = await page('limit=3');
    expect(first.timezone).toBe('Asia/Kolkata');
    expect(first.contacts).toMatchObject([
      { row: 1, call_status: 'completed', last_outcome: 'USER_LEFT', attempts: 1, next_attempt_at: null },
      {
        row: 2,
        call_status: 'retry',
        last_outcome: 'NO_ANSWER',
        next_attempt_at: '2026-01-05T05:01:00.000Z',
      },
      { row: 3, call_status: 'failed', last_outcome: 'NOT_ABLE_TO_CALL', from_number: office.tenant.number },
    ]);
    const second = await page(`limit=3&cursor=${first.next_cursor}`);
    expect(second.contacts.map(({ row }: any) => row)).toEqual([4, 5, 6]);
    expect(second.contacts[1]).toMatchObject({
      call_status: 'registered',
      last_outcome: null,
      from_number: null,
    });
    const last = await page(`limit=3&cursor=${second.next_cursor}`);
    expect([last.contacts.map(({ row }: any) => row), last.next_cursor]).toEqual([[7], null]);
    const rows = async (query: string) => (await page(query)).contacts.map(({ row }: any) => row);
    expect(await rows('status=completed')).toEqual([1, 4]);
    expect(await rows('status=completed&limit=1&cursor=1')).toEqual([4]);
    expect(await rows('status=registered')).toEqual([5, 6, 7]);
    expect(await rows(`mobile_number=${encodeURIComponent('+12125550002')}`)).toEqual([2]);
    const csv = (await ask(id, 'report?status=completed')).text.trimEnd().split('\r\n');
    expect(csv.slice(1).map((line) => line.split(',')[0])).toEqual(['1', '4']);
    for (const cursor of ['0', 'x', '-1', '1e3']) {
      expect(said(await ask(id, `contacts?cursor=${cursor}`))).toEqual([
        422,
        'cursor must be the next_cursor of an earlier answer',
      ]);
    }
    expect((await ask(id, 'contacts?limit=201')).status).toBe(400);
    expect((await ask(id, 'contacts?status=nearly')).status).toBe(422);
    const { rows: plan } = await sql<Record<'QUERY PLAN', string>>`explain (costs off)
      select * from calls where workspace_id = ${office.tenant.workspaceId} and campaign_id = ${id}
        and campaign_id is not null and contact_row > 0 and contact_row is not null and status = 'failed'
      order by contact_row limit 51`.execute(office.api.db);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('calls_of_contact_status');
  });
});

describe('another workspace', () => {
  it('gets 404, every role of the own one an answer, and campaigns of messages are refused', async () => {
    const id = await office.started({ contacts: 1 });
    const stranger = await createTenant(office.api);
    const viewer = await signedIn(office.api, office.tenant.workspaceId, 'viewer');
    for (const part of ['progress', 'statistics', 'contacts']) {
      expect(said(await ask(id, part, stranger.key))).toEqual([404, 'Campaign not found']);
      expect((await ask('nothing', part)).status).toBe(404);
      expect((await viewer.request('GET', `/api/v0/campaign/${id}/${part}`)).status).toBe(200);
    }
    await office.api.db
      .updateTable('campaigns')
      .set({ template: JSON.stringify({ name: 'x', language: 'en' }) })
      .where('id', '=', id)
      .execute();
    for (const part of ['progress', 'statistics', 'contacts']) {
      expect((await ask(id, part)).body).toMatchObject({ code: 'CAMPAIGN_WRITES' });
    }
  });
});
