import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimTurn } from '../../src/dialer/claim.ts';
import { markAnswered, markDialing } from '../../src/dialer/journal.ts';
import { reapOrphans } from '../../src/dialer/reaper.ts';
import { endQueued } from '../../src/domain/calls/end-queued.ts';
import { settleAttempt, type SettleDeps } from '../../src/domain/calls/settle-call.ts';
import { newApiKey, storedForm } from '../../src/domain/workspaces/api-key.ts';
import { newId } from '../../src/shared/ids.ts';
import { foldEndings } from '../../src/store/analytics.ts';
import { replaceKey } from '../../src/store/keys.ts';
import { readMigrations } from '../../src/store/migrate.ts';
import { createTenant, createTestApi, type Answer, type Tenant, type TestApi } from '../helpers/api.ts';
import { createNode, createWorkspace, MONDAY, queueCalls, type TestWorkspace } from '../helpers/world.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const DAY_MS = 86_400_000;
const ENDS = ['answered', 'voicemail', 'busy', 'no_answer', 'crash', 'cancel', 'wait'] as const;

/** The same sums made from the calls themselves. */
async function recount(workspaceId: string, where = sql`true`): Promise<unknown[]> {
  const { rows } = await sql`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, agent_id, version_id, number_id, lane_id,
      call_type, status, sub_status, count(*)::int as calls, sum(attempt)::int as attempts,
      sum(coalesce(duration_ms, 0))::int as duration_ms, sum(cost)::int as cost
    from calls where workspace_id = ${workspaceId} and ${where}
      and status in ('completed', 'failed', 'error', 'cancelled')
    group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8`.execute(api.db);
  return rows;
}

const NIL = sql.lit('00000000-0000-0000-0000-000000000000');
async function kept(workspaceId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select to_char(day, 'YYYY-MM-DD') as day, agent_id, version_id, nullif(number_id, ${NIL}::uuid) as number_id,
      nullif(lane_id, ${NIL}::uuid) as lane_id, call_type, status, sub_status, sum(calls)::int as calls,
      sum(attempts)::int as attempts, sum(duration_ms)::int as duration_ms, sum(cost)::int as cost
    from (select day, agent_id, version_id, number_id, lane_id, call_type, status, sub_status, calls, attempts,
            duration_ms, cost from call_days where workspace_id = ${workspaceId}
          union all
          select day, agent_id, version_id, number_id, lane_id, call_type, status, sub_status, 1, attempts,
            duration_ms, cost from call_endings where workspace_id = ${workspaceId}) k
    group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8`.execute(api.db);
  return rows;
}

async function keyed(world: TestWorkspace): Promise<string> {
  const key = newApiKey();
  await replaceKey(api.db, world.id, storedForm(key), new Date(api.clock.now()));
  return key;
}
const ask = async (key: string, path: string): Promise<any> => {
  const answer: Answer = await api.request('GET', `/api/v0/analytics/${path}`, { key });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer.body['data'];
};

/** Dials everything that is due, each attempt ending as the next of `ends` says. */
async function live(deps: SettleDeps, world: TestWorkspace, ends: readonly (typeof ENDS)[number][]) {
  let turn = 0;
  const next = (): (typeof ENDS)[number] => ends[turn++ % ends.length] ?? 'busy';
  for (let round = 0; round < 6; round += 1) {
    const nodeId = await createNode(api.db, `node ${newId()}`, api.clock.now());
    const claim = await claimTurn({ ...deps, nodeId }, { visited: [], capacity: 50 });
    let hasCrashed = false;
    for (const call of claim?.claimed ?? []) {
      const end = next();
      if (end === 'wait') {
        hasCrashed = true;
        continue;
      }
      await markDialing(deps, call, newId());
      if (end === 'crash') {
        hasCrashed = true;
        continue;
      }
      const isAnswered = end === 'answered' || end === 'voicemail';
      if (isAnswered) await markAnswered(deps, call, { at: api.clock.now() });
      if (isAnswered) api.clock.advance(1000 * (1 + ((turn * 37) % 700)));
      await settleAttempt(deps, {
        workspaceId: call.workspaceId,
        callId: call.callId,
        attempt: call.attempt,
        nodeId,
        end:
          end === 'answered'
            ? { kind: 'answered', reason: 'USER_LEFT' }
            : end === 'voicemail'
              ? { kind: 'answered', reason: 'VOICEMAIL_DETECTED' }
              : { kind: 'not_answered', failure: end === 'cancel' ? 'cancelled' : end },
        endedAt: api.clock.now(),
        answeredAt: null,
        hangupBy: 'caller',
        sipCallId: null,
        sipCode: null,
        reason: null,
        result: null,
      });
    }
    if (hasCrashed) {
      await api.db
        .updateTable('nodes')
        .set({ fenced_at: new Date(api.clock.now()) })
        .where('id', '=', nodeId)
        .execute();
      await reapOrphans(deps);
    }
    if (next() === 'cancel') {
      const waiting = await api.db
        .selectFrom('calls')
        .select('id')
        .where('workspace_id', '=', world.id)
        .where('status', 'in', ['registered', 'retry'])
        .limit(3)
        .execute();
      for (const { id } of waiting) {
        const end = { status: 'cancelled', subStatus: 'USER_TERMINATED' } as const;
        const at = new Date(api.clock.now());
        await api.db.transaction().execute((tx) => endQueued(tx, world.id, id, end, at));
      }
    }
    api.clock.advance(7 * 3_600_000);
  }
}

describe('analytics', () => {
  it('equal a recount of the calls, whatever happened to them', { timeout: 120_000 }, async () => {
    const deps: SettleDeps = {
      db: api.db,
      clock: api.clock,
      rate: { creditsPerMinute: 1, pulseSeconds: 60 },
      recordingUrl: () => 'http://callwright.test/x.wav',
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...ENDS), { minLength: 3, maxLength: 40 }),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 0, max: 3 }),
        async (ends, count, retries) => {
          await sql`update workspaces set next_due_at = 'infinity'`.execute(api.db);
          api.clock.set(MONDAY);
          const callConfig = {
            call_retry_config: { retry_count: retries, retry_busy: 5, retry_not_picked: 5, retry_failed: 5 },
            call_time: { call_start_time: '00:00', call_end_time: '23:59', timezone: 'Etc/UTC' },
          };
          const world = await createWorkspace(api.db, {
            credits: 100_000,
            callLimit: 50,
            numbers: [{}, {}],
            callConfig: { voicemail: { detect: true, action: 'end', retry: true } },
          });
          const first = await queueCalls(api.db, world, count, { callConfig });
          await queueCalls(api.db, world, count, { number: 1, callConfig, dueAt: MONDAY - DAY_MS });
          const laneId = newId();
          await api.db
            .updateTable('calls')
            .set({ lane_id: laneId })
            .where('id', 'in', first.slice(0, Math.ceil(count / 2)))
            .execute();
          await live(deps, world, ends);
          const truth = await recount(world.id);
          expect(await kept(world.id)).toEqual(truth);
          await api.db.transaction().execute((tx) => foldEndings(tx, world.id, 7));
          expect(await kept(world.id)).toEqual(truth);

          const sum = (rows: unknown[], name: string): number =>
            (rows as Record<string, number>[]).reduce((total, row) => total + (row[name] ?? 0), 0);
          const key = await keyed(world);
          for (const [query, where] of [
            ['', sql`true`],
            [`agent_id=${world.agentId}`, sql`true`],
            [`bulk_list_id=${laneId}`, sql`lane_id = ${laneId}`],
            ['start_date=2026-01-05', sql`created_at >= '2026-01-05T00:00:00Z'`],
            ['end_date=2026-01-04', sql`created_at < '2026-01-05T00:00:00Z'`],
          ] as const) {
            const rows = await recount(world.id, sql`${where}`);
            const platform = await ask(key, `platform-analytics?${query}`);
            expect([query, platform.total_calls, platform.total_attempts]).toEqual([
              query,
              sum(rows, 'calls'),
              sum(rows, 'attempts'),
            ]);
            expect(platform.total_duration).toBe(sum(rows, 'duration_ms') / 1000);
            expect(platform.total_cost).toBe(sum(rows, 'cost') / 1_000_000);
            expect(sum(platform.daily, 'total_calls')).toBe(platform.total_calls);
            const drill = await ask(key, `drill-down-analytics?${query}`);
            expect(sum(drill.outcomes, 'total_calls')).toBe(platform.total_calls);
            expect(sum(drill.agents, 'total_cost')).toBeCloseTo(platform.total_cost);
            const numbers = await ask(key, `number-analytics?${query}`);
            expect(sum(numbers.numbers, 'total_calls')).toBe(platform.total_calls);
            const lengths = await ask(key, `duration-distribution?${query}`);
            expect(sum(lengths.buckets, 'calls')).toBe(platform.answered_calls);
            expect(lengths.answered_calls).toBe(platform.answered_calls);
          }
        },
      ),
      { numRuns: 12, seed: 20_260_105 },
    );
  });

  it('count calls that end all at once, in many transactions', async () => {
    const world = await createWorkspace(api.db);
    const ids = await queueCalls(api.db, world, 120);
    const at = new Date(MONDAY);
    await Promise.all(
      ids.map((id) =>
        api.db
          .transaction()
          .execute((tx) =>
            endQueued(tx, world.id, id, { status: 'cancelled', subStatus: 'USER_TERMINATED' }, at),
          ),
      ),
    );
    await Promise.all(
      Array.from({ length: 8 }, () => api.db.transaction().execute((tx) => foldEndings(tx, world.id, 50))),
    );
    expect(await kept(world.id)).toEqual(await recount(world.id));
    const platform = await ask(await keyed(world), 'platform-analytics');
    expect(platform).toMatchObject({ total_calls: 120, cancelled_calls: 120, answered_calls: 0 });
  });

  it('count what one statement ended, and what was written as ended', async () => {
    const world = await createWorkspace(api.db);
    await queueCalls(api.db, world, 40);
    await api.db
      .updateTable('calls')
      .set({ status: 'cancelled', sub_status: 'CAMPAIGN_TIME_EXCEEDED' })
      .where('workspace_id', '=', world.id)
      .execute();
    expect(await kept(world.id)).toEqual(await recount(world.id));
    // Ended calls that change otherwise are not counted again.
    await api.db
      .updateTable('calls')
      .set({ hangup_by: 'agent', status: 'cancelled' })
      .where('workspace_id', '=', world.id)
      .execute();
    expect(await kept(world.id)).toEqual(await recount(world.id));
    expect((await ask(await keyed(world), 'platform-analytics')).total_calls).toBe(40);
  });

  it('count the calls of a database made before they were kept', async () => {
    const world = await createWorkspace(api.db);
    await queueCalls(api.db, world, 9);
    await sql`update calls set status = 'completed', sub_status = 'USER_LEFT', duration_ms = 45000, cost = 1000000
      where workspace_id = ${world.id}`.execute(api.db);
    const before = await recount(world.id);
    const migration = (await readMigrations()).find((m) => m.name === '0004_analytics.sql');
    const backfill = /insert into call_days\s+select[^;]+;/.exec(migration?.sql ?? '')?.[0] ?? '';
    await sql`delete from call_endings`.execute(api.db);
    await sql`delete from call_days`.execute(api.db);
    await sql.raw(backfill).execute(api.db);
    expect(await kept(world.id)).toEqual(before);
  });
});

describe('the history', () => {
  it('tells the same total out of the sums as the calls themselves say', async () => {
    const world = await createWorkspace(api.db);
    const laneId = newId();
    const ids = [
      ...(await queueCalls(api.db, world, 10)),
      ...(await queueCalls(api.db, world, 10, { dueAt: MONDAY - DAY_MS })),
    ];
    await sql`update calls set lane_id = ${laneId} where id = any(${ids.slice(0, 12)}::uuid[])`.execute(
      api.db,
    );
    const statuses = ['completed', 'failed', 'cancelled', 'error', 'ongoing', 'retry', 'registered'];
    for (const [index, id] of ids.entries()) {
      await sql`update calls set status = ${statuses[index % statuses.length] ?? ''} where id = ${id}`.execute(
        api.db,
      );
    }
    const key = await keyed(world);
    for (const query of [
      '',
      'status=completed',
      'status=ongoing',
      'status=registered',
      `bulk_list_id=${laneId}`,
      `bulk_list_id=${laneId}&status=failed`,
      `agent_id=${world.agentId}`,
      `agent_id=${newId()}`,
      'call_type=inbound',
      'start_date=2026-01-05',
      'end_date=2026-01-04',
      'start_date=2026-01-04&end_date=2026-01-05',
      'start_date=2026-01-05T09:59:59Z',
      'to_number=%2B12125550003',
      `from_number=%2B14155550100&bulk_list_id=${laneId}`,
    ]) {
      const path = `/api/v0/calling/history?limit=200&${query}`;
      const answer = await api.request('GET', path, { key });
      expect([query, answer.status, answer.body['total']]).toEqual([
        query,
        200,
        (answer.body['calls'] as unknown[]).length,
      ]);
    }
  });
});

describe('the analytics endpoints', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await createTenant(api);
  });
  const PATHS = [
    'platform-analytics',
    'drill-down-analytics',
    'number-analytics',
    'duration-distribution',
    'classification-analytics',
  ];

  it.each(PATHS)('%s is zero for a new workspace, an unknown id and a foreign one', async (path) => {
    const other = await createWorkspace(api.db);
    await queueCalls(api.db, other, 2);
    await sql`update calls set status = 'failed', sub_status = 'BUSY' where workspace_id = ${other.id}`.execute(
      api.db,
    );
    const empty = await ask(tenant.key, path);
    for (const query of [
      `agent_id=${other.agentId}`,
      `agent_id=${newId()}`,
      'agent_id=x',
      'bulk_list_id=x',
      'bulk_list_id=00000000-0000-0000-0000-000000000000',
    ]) {
      expect([query, await ask(tenant.key, `${path}?${query}`)]).toEqual([query, empty]);
    }
    expect(JSON.stringify(empty)).not.toMatch(/calls":[1-9]/);
  });

  it.each(PATHS)('%s names the date it cannot read', async (path) => {
    for (const [query, message] of [
      ['start_date=yesterday', 'start_date must be a date'],
      ['end_date=2026-02-30', 'end_date must be a date'],
      ['start_date=2026-02-02&end_date=2026-02-01', 'end_date must not be before start_date'],
      ['agent_id=', 'agent_id must not be empty'],
    ]) {
      const answer = await api.request('GET', `/api/v0/analytics/${path}?${query}`, { key: tenant.key });
      expect([query, answer.status]).toEqual([query, 422]);
      expect(answer.body['message']).toContain(message);
    }
    expect((await api.request('GET', `/api/v0/analytics/${path}`)).status).toBe(401);
  });

  it('say which whole days they counted', async () => {
    const data = await ask(
      tenant.key,
      'number-analytics?start_date=2026-01-05T23:30:00-05:00&end_date=2026-01-09',
    );
    expect(data).toEqual({ start_date: '2026-01-06', end_date: '2026-01-09', numbers: [] });
  });

  it('sort answered calls by length, bounds counted from below', async () => {
    const world = await createWorkspace(api.db);
    const lengths = [0, 9999, 10_000, 29_999, 60_000, 120_000, 599_999, 600_000, 3_600_000];
    const ids = await queueCalls(api.db, world, lengths.length + 1);
    for (const [index, length] of [...lengths, null].entries()) {
      await sql`update calls set status = 'completed', duration_ms = ${length} where id = ${ids[index] ?? ''}`.execute(
        api.db,
      );
    }
    const data = await ask(await keyed(world), 'duration-distribution');
    expect(data.answered_calls).toBe(9);
    expect(data.buckets).toEqual([
      { from_seconds: 0, to_seconds: 10, calls: 2, share: 0.2222 },
      { from_seconds: 10, to_seconds: 30, calls: 2, share: 0.2222 },
      { from_seconds: 30, to_seconds: 60, calls: 0, share: 0 },
      { from_seconds: 60, to_seconds: 120, calls: 1, share: 0.1111 },
      { from_seconds: 120, to_seconds: 300, calls: 1, share: 0.1111 },
      { from_seconds: 300, to_seconds: 600, calls: 1, share: 0.1111 },
      { from_seconds: 600, to_seconds: null, calls: 2, share: 0.2222 },
    ]);
  });

  it('share out classifications and sentiments of analysed calls', async () => {
    const world = await createWorkspace(api.db);
    const ids = await queueCalls(api.db, world, 5);
    await sql`update calls set status = 'completed', sub_status = 'USER_LEFT'
      where workspace_id = ${world.id} and id <> ${ids[4] ?? ''}`.execute(api.db);
    const analyses = [
      { classification: 'interested', sentiment: 'positive' },
      { classification: 'interested', sentiment: 'neutral' },
      { classification: 'busy' },
      null,
      { classification: 'still live' },
    ];
    await api.db
      .insertInto('call_records')
      .values(
        analyses.map((analysis, index) => ({
          workspace_id: world.id,
          call_id: ids[index] ?? '',
          platform_analysis: analysis === null ? null : JSON.stringify(analysis),
          updated_at: new Date(MONDAY),
        })),
      )
      .execute();
    const key = await keyed(world);
    const data = await ask(key, 'classification-analytics');
    expect(data).toEqual({
      start_date: null,
      end_date: null,
      total_calls: 4,
      analysed_calls: 3,
      classifications: [
        { label: 'interested', calls: 2, share: 0.6667 },
        { label: 'busy', calls: 1, share: 0.3333 },
      ],
      sentiments: [
        { label: 'neutral', calls: 1, share: 0.3333 },
        { label: 'positive', calls: 1, share: 0.3333 },
      ],
    });
    expect((await ask(key, 'classification-analytics?end_date=2026-01-04')).analysed_calls).toBe(0);
    expect((await ask(key, 'classification-analytics?start_date=2026-01-05')).analysed_calls).toBe(3);
  });

  it('name agents, versions, numbers and campaigns', async () => {
    const world = await createWorkspace(api.db);
    const ids = await queueCalls(api.db, world, 3);
    const laneId = newId();
    await sql`update calls set lane_id = ${laneId} where id = ${ids[0] ?? ''}`.execute(api.db);
    await sql`update calls set status = 'completed', sub_status = 'USER_LEFT', duration_ms = 30000, attempt = 1,
      cost = 1500000 where workspace_id = ${world.id} and id <> ${ids[2] ?? ''}`.execute(api.db);
    await sql`update calls set status = 'failed', sub_status = 'BUSY', attempt = 3 where id = ${ids[2] ?? ''}`.execute(
      api.db,
    );
    const key = await keyed(world);
    const drill = await ask(key, 'drill-down-analytics');
    expect(drill.outcomes.map((o: any) => [o.status, o.total_calls, o.sub_statuses.length])).toEqual([
      ['completed', 2, 1],
      ['failed', 1, 1],
    ]);
    expect(drill.agents).toMatchObject([
      {
        agent_id: world.agentId,
        agent_name: 'Asha',
        total_calls: 3,
        total_attempts: 5,
        answer_rate: 0.6667,
        average_duration: 30,
        total_cost: 3,
        versions: [{ version_id: world.versionId, version_slug: 'v1', total_calls: 3 }],
      },
    ]);
    expect(drill.campaigns).toMatchObject([{ bulk_list_id: laneId, total_calls: 1 }]);
    const numbers = await ask(key, 'number-analytics');
    expect(numbers.numbers).toMatchObject([
      { number_id: world.numberIds[0], number: expect.stringMatching(/^\+1415555/), total_calls: 3 },
    ]);
  });
});
