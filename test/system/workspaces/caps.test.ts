import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chargeAttempt } from '../../../src/store/calls/attempts.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type TestApi,
} from '../../helpers/api/api.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { CapNotices } from '../../../src/domain/workspaces/cap-notices.ts';
import type { CapName } from '../../../src/domain/workspaces/limits.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { setLimits, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

const DAY_MS = 86_400_000;

describe('caps at placing', () => {
  let api: TestApi;
  const warnings: Record<string, unknown>[] = [];
  const warnedOf = (workspaceId: string) =>
    warnings.filter((fields) => fields['workspaceId'] === workspaceId);
  beforeAll(async () => {
    const log = { ...silentLog, warn: (fields: Record<string, unknown>) => void warnings.push(fields) };
    api = await createTestApi({ log: log as never });
  });
  afterAll(() => api.close());

  async function createPlacer(limits: object, unlimited = false) {
    const tenant = await createTenant(api, unlimited ? { unlimited } : {});
    const { agentId } = await createTestAgent(api, tenant, {
      call_config: { call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' } },
    });
    await sql`update workspaces set credits = 1000000000,
      settings = jsonb_set(settings, '{limits}', ${JSON.stringify(limits)}::jsonb)
      where id = ${tenant.workspaceId}`.execute(api.db);
    const place = (): Promise<Answer> =>
      api.request('POST', '/api/v0/calling/outbound/individual', {
        key: tenant.key,
        body: {
          name: 'Sam',
          mobile_number: '+14155550123',
          agent_id: agentId,
          from_number_id: tenant.numberId,
        },
      });
    const spend = (credits: number, at: number): Promise<unknown> =>
      api.db.transaction().execute((tx) =>
        chargeAttempt(tx, tenant.workspaceId, randomUUID(), 1, {
          reserved: 0,
          charge: credits * 1_000_000,
          byStranger: false,
          at: new Date(at),
        }),
      );
    const stored = async (): Promise<number> =>
      (await api.db.selectFrom('calls').select('id').where('workspace_id', '=', tenant.workspaceId).execute())
        .length;
    return { tenant, place, spend, stored };
  }

  it('answer 429 for calls above calls_per_minute, store nothing and log once', async () => {
    const { tenant, place, stored } = await createPlacer({ calls_per_minute: 3 });
    const other = await createPlacer({});
    for (let n = 0; n < 3; n += 1) expect((await place()).status).toBe(200);
    for (let n = 0; n < 3; n += 1) {
      const answer = await place();
      expect([answer.status, answer.body['code'], answer.body['message']]).toEqual([
        429,
        'CALLS_PER_MINUTE_REACHED',
        'The workspace may start 3 calls a minute; try again in 60 seconds',
      ]);
      expect([answer.headers['retry-after'], answer.body['error']]).toEqual(['60', answer.body['message']]);
      expect((await other.place()).status).toBe(200);
    }
    expect(await stored()).toBe(3);
    await expect.poll(() => warnedOf(tenant.workspaceId)).not.toEqual([]);
    expect(warnedOf(tenant.workspaceId)).toEqual([
      { workspaceId: tenant.workspaceId, cap: 'calls_per_minute' },
    ]);
    // The oldest of three calls that started 50 s ago leaves the minute in 10 s.
    await sql`insert into cap_starts (workspace_id, at, calls)
      values (${tenant.workspaceId}, ${new Date(api.clock.now() - 50_000)}, 3)`.execute(api.db);
    expect((await place()).headers['retry-after']).toBe('10');
  });

  it('note a cap once per window in all processes, in the log, the metrics and the audit log', async () => {
    const { tenant } = await createPlacer({});
    const log = { ...silentLog, warn: (fields: Record<string, unknown>) => void warnings.push(fields) };
    const processes = [0, 1].map(() => new CapNotices({ clock: api.clock, log: log as never }));
    const noteAll = async (cap: CapName): Promise<void> => {
      for (const notices of [...processes, ...processes]) notices.note(api.db, tenant.workspaceId, cap);
      await Promise.all(processes.map(({ written }) => written));
    };
    api.clock.advance(DAY_MS - (api.clock.now() % DAY_MS));
    for (let minute = 0; minute < 3; minute += 1) {
      await noteAll('calls_per_minute');
      await noteAll('credits_per_day');
      api.clock.advance(30_000);
      await noteAll('calls_per_minute');
      api.clock.advance(30_000);
    }
    expect(warnedOf(tenant.workspaceId).map(({ cap }) => cap)).toEqual([
      'calls_per_minute',
      'credits_per_day',
      'calls_per_minute',
      'calls_per_minute',
    ]);
    const counts = processes.flatMap((notices) => [...notices.counts]);
    const sum = (cap: string) => counts.reduce((all, [name, n]) => all + (name === cap ? n : 0), 0);
    expect([sum('calls_per_minute'), sum('credits_per_day')]).toEqual([3, 1]);
    const { body } = await api.request('GET', '/api/v0/workspace/audit-log?action=workspace.cap_reached', {
      key: tenant.key,
    });
    expect(body['entries']).toMatchObject([
      { actor: { type: 'system' }, objects: { cap: 'calls_per_minute' } },
      { objects: { cap: 'calls_per_minute' } },
      { objects: { cap: 'credits_per_day' } },
      { objects: { cap: 'calls_per_minute' } },
    ]);
  });

  it('answer 402 when the day has spent credits_per_day, until the next day', async () => {
    const { place, spend, stored } = await createPlacer({ credits_per_day: 10 });
    const now = api.clock.now();
    await spend(100, now - (now % DAY_MS) - 1);
    await spend(9, now);
    expect((await place()).status).toBe(200);
    await spend(0.5, now);
    const answer = await place();
    expect([answer.status, answer.body['code'], answer.body['message']]).toEqual([
      402,
      'DAILY_SPEND_REACHED',
      'The workspace has spent the 10 credits that it may spend a day; try again tomorrow (UTC)',
    ]);
    expect(await stored()).toBe(1);
    api.clock.advance(DAY_MS);
    expect((await place()).status).toBe(200);
  });
});

describe('caps in the scheduler', () => {
  let dialing: Dialing;
  beforeAll(async () => {
    dialing = await createDialing();
  });
  beforeEach(() => dialing.renew());
  afterAll(() => dialing.close());
  const drain = async (): Promise<number> => {
    let started = 0;
    for (let batches = 0; batches < 5; batches += 1) started += (await dialing.taken()).length;
    return started;
  };
  /** Sub-statuses of the waiting calls of the capped workspace. */
  const waiting = async (): Promise<{ campaign: string[]; individual: string[] }> => {
    const { rows } = await sql<{ campaign: string[]; individual: string[] }>`
      select coalesce(array_agg(distinct sub_status) filter (where campaign_id is not null), '{}') as campaign,
             coalesce(array_agg(distinct sub_status) filter (where campaign_id is null), '{}') as individual
      from calls c join workspaces w on w.id = c.workspace_id
      where status = 'registered' and w.settings ? 'limits'`.execute(dialing.db);
    return rows[0]!;
  };
  const contacts = Array.from({ length: 20 }, (_, n) => ({
    number: `+1212555${String(n).padStart(4, '0')}`,
  }));

  it('start calls_per_minute calls of campaigns and individual calls together in any minute', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 50 });
    const innocent = await createWorkspace(dialing.db, { callLimit: 50 });
    await setLimits(dialing.db, w, { calls_per_minute: 4 });
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts });
    await queueCalls(dialing.db, w, 5);
    await queueCalls(dialing.db, innocent, 5);
    expect(await drain()).toBe(9);
    dialing.clock.advance(30_000);
    expect(await dialing.claim()).toMatchObject({ claimed: [], exhaustedCap: 'calls_per_minute' });
    expect(await waiting()).toEqual({ campaign: ['LIMIT_REACHED'], individual: ['LIMIT_REACHED'] });
    dialing.clock.advance(31_000);
    expect(await drain()).toBe(4);
  });

  it('lock no more than credits_per_day, hold the rest and end nothing', async () => {
    const w = await createWorkspace(dialing.db, { callLimit: 50, callConfig: { max_call_length: 120 } });
    await setLimits(dialing.db, w, { credits_per_day: 5 });
    await startedCampaign({ db: dialing.db, clock: dialing.clock }, w, { contacts });
    await queueCalls(dialing.db, w, 5);
    await drain();
    const sums = async () =>
      (
        await sql<{ locked: number; ended: number }>`
          select w.locked_credits / 1000000 as locked, (select count(*)::int from calls c
            where c.workspace_id = w.id and c.status not in ('registered', 'ongoing')) as ended
          from workspaces w where w.id = ${w.id}`.execute(dialing.db)
      ).rows[0];
    expect(await sums()).toEqual({ locked: 5, ended: 0 });
    expect((await waiting()).individual).not.toContain('INSUFFICIENT_BALANCE');
    // Calls that wait for locked credits are due again after 15 s.
    dialing.clock.advance(16_000);
    expect(await dialing.claim()).toMatchObject({ claimed: [], exhaustedCap: 'credits_per_day' });
    expect(await waiting()).toEqual({ campaign: ['LIMIT_REACHED'], individual: ['LIMIT_REACHED'] });
    const campaigns = await dialing.db.selectFrom('campaigns').select('state').execute();
    expect(campaigns).toEqual([{ state: 'ongoing' }]);
  });
});
