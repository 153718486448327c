import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endQueued } from '../../../src/domain/calls/attempt/end-queued.ts';
import type { SettleDeps } from '../../../src/domain/calls/attempt/settle.ts';
import { newId } from '../../../src/shared/ids.ts';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import { createWorkspace, MONDAY, queueCalls } from '../../helpers/database/workspace.ts';
import { createCallSums, dialAll, ENDS, type CallSums } from '../../helpers/calls/call-sums.ts';
import { IS_NIGHTLY } from '../../helpers/service/nightly.ts';

let sums: CallSums;
beforeAll(async () => {
  sums = await createCallSums();
});
afterAll(() => sums.api.close());
const DAY_MS = 86_400_000;

describe('analytics', () => {
  it('equal a recount after random changes', { timeout: 400_000 }, async () => {
    const deps: SettleDeps = {
      db: sums.api.db,
      clock: sums.api.clock,
      rate: { creditsPerMinute: 1, pulseSeconds: 60 },
      recordingUrl: () => 'http://callwright.test/x.wav',
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...ENDS), { minLength: 3, maxLength: 40 }),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 0, max: 3 }),
        async (ends, count, retries) => {
          await sql`update workspaces set next_due_at = 'infinity'`.execute(sums.api.db);
          sums.api.clock.set(MONDAY);
          const callConfig = {
            call_retry_config: { retry_count: retries, retry_busy: 5, retry_not_picked: 5, retry_failed: 5 },
            call_time: { call_start_time: '00:00', call_end_time: '23:59', timezone: 'Etc/UTC' },
          };
          const world = await createWorkspace(sums.api.db, {
            credits: 100_000,
            callLimit: 50,
            numbers: [{}, {}],
            callConfig: { voicemail: { detect: true, action: 'end', retry: true } },
          });
          const first = await queueCalls(sums.api.db, world, count, { callConfig });
          await queueCalls(sums.api.db, world, count, { number: 1, callConfig, dueAt: MONDAY - DAY_MS });
          const campaignId = newId();
          await sums.api.db
            .updateTable('calls')
            .set({ campaign_id: campaignId })
            .where('id', 'in', first.slice(0, Math.ceil(count / 2)))
            .execute();
          await dialAll(sums.api, deps, world, ends);
          const truth = await sums.recount(world.id);
          expect(await sums.kept(world.id)).toEqual(truth);
          await sums.api.db.transaction().execute((tx) => foldEndings(tx, world.id, 7));
          expect(await sums.kept(world.id)).toEqual(truth);

          const sum = (rows: unknown[], name: string): number =>
            (rows as Record<string, number>[]).reduce((total, row) => total + (row[name] ?? 0), 0);
          const key = await sums.keyed(world);
          for (const [query, where, dialled] of [
            ['', sql`true`, sql`true`],
            [`agent_id=${world.agentId}`, sql`true`, sql`true`],
            [
              `bulk_list_id=${campaignId}`,
              sql`campaign_id = ${campaignId}`,
              sql`c.campaign_id = ${campaignId}`,
            ],
            [
              'start_date=2026-01-05',
              sql`created_at >= '2026-01-05T00:00:00Z'`,
              sql`t.dialed_at >= '2026-01-05T00:00:00Z'`,
            ],
            [
              'end_date=2026-01-04',
              sql`created_at < '2026-01-05T00:00:00Z'`,
              sql`t.dialed_at < '2026-01-05T00:00:00Z'`,
            ],
          ] as const) {
            const { attempts, answered } = await sums.recountAttempts(world.id, sql`${dialled}`);
            const rows = await sums.recount(world.id, sql`${where}`);
            const platform = await sums.ask(key, `platform-analytics?${query}`);
            expect([
              query,
              platform.total_calls,
              platform.total_attempts,
              platform.answered_attempts,
            ]).toEqual([query, sum(rows, 'calls'), attempts, answered]);
            expect(platform.answer_rate).toBeCloseTo(attempts === 0 ? 0 : answered / attempts, 3);
            expect(sum(platform.daily, 'total_attempts')).toBe(attempts);
            expect(platform.total_duration).toBe(sum(rows, 'duration_ms') / 1000);
            expect(platform.total_cost).toBe(sum(rows, 'cost') / 1_000_000);
            expect(sum(platform.daily, 'total_calls')).toBe(platform.total_calls);
            const drill = await sums.ask(key, `drill-down-analytics?${query}`);
            expect(sum(drill.outcomes, 'total_calls')).toBe(platform.total_calls);
            expect(sum(drill.agents, 'total_cost')).toBeCloseTo(platform.total_cost);
            expect(sum(drill.agents, 'answered_attempts')).toBe(answered);
            const numbers = await sums.ask(key, `number-analytics?${query}`);
            expect(sum(numbers.numbers, 'total_calls')).toBe(platform.total_calls);
            expect(sum(numbers.numbers, 'answered_attempts')).toBe(answered);
            const lengths = await sums.ask(key, `duration-distribution?${query}`);
            expect(sum(lengths.buckets, 'calls')).toBe(platform.answered_calls);
            expect(lengths.answered_calls).toBe(platform.answered_calls);
          }
        },
      ),
      { numRuns: IS_NIGHTLY ? 12 : 4, seed: 20_260_105 },
    );
  });

  it('count calls that end concurrently in many transactions', async () => {
    const world = await createWorkspace(sums.api.db);
    const ids = await queueCalls(sums.api.db, world, 120);
    const at = new Date(MONDAY);
    await Promise.all(
      ids.map((id) =>
        sums.api.db
          .transaction()
          .execute((tx) =>
            endQueued(tx, world.id, id, { status: 'cancelled', subStatus: 'USER_TERMINATED' }, at),
          ),
      ),
    );
    await Promise.all(
      Array.from({ length: 8 }, () =>
        sums.api.db.transaction().execute((tx) => foldEndings(tx, world.id, 50)),
      ),
    );
    expect(await sums.kept(world.id)).toEqual(await sums.recount(world.id));
    const platform = await sums.ask(await sums.keyed(world), 'platform-analytics');
    expect(platform).toMatchObject({ total_calls: 120, cancelled_calls: 120, answered_calls: 0 });
  });

  it('count calls ended by one statement, and calls inserted as ended', async () => {
    const world = await createWorkspace(sums.api.db);
    await queueCalls(sums.api.db, world, 40);
    await sums.api.db
      .updateTable('calls')
      .set({ status: 'cancelled', sub_status: 'CAMPAIGN_TIME_EXCEEDED' })
      .where('workspace_id', '=', world.id)
      .execute();
    expect(await sums.kept(world.id)).toEqual(await sums.recount(world.id));
    // Other changes of ended calls are not counted again.
    await sums.api.db
      .updateTable('calls')
      .set({ hangup_by: 'agent', status: 'cancelled' })
      .where('workspace_id', '=', world.id)
      .execute();
    expect(await sums.kept(world.id)).toEqual(await sums.recount(world.id));
    expect((await sums.ask(await sums.keyed(world), 'platform-analytics')).total_calls).toBe(40);
  });
});
