import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createWorkspace, MONDAY, queueCalls } from '../../helpers/database/workspace.ts';
import { createCallSums, type CallSums } from '../../helpers/calls/call-sums.ts';

let sums: CallSums;
beforeAll(async () => {
  sums = await createCallSums();
});
afterAll(() => sums.api.close());
const DAY_MS = 86_400_000;

describe('the history', () => {
  it('has a total from the sums that equals the count of calls', async () => {
    const world = await createWorkspace(sums.api.db);
    const campaignId = newId();
    const ids = [
      ...(await queueCalls(sums.api.db, world, 10)),
      ...(await queueCalls(sums.api.db, world, 10, { dueAt: MONDAY - DAY_MS })),
    ];
    await sql`update calls set campaign_id = ${campaignId} where id = any(${ids.slice(0, 12)}::uuid[])`.execute(
      sums.api.db,
    );
    const statuses = ['completed', 'failed', 'cancelled', 'error', 'ongoing', 'retry', 'registered'];
    for (const [index, id] of ids.entries()) {
      await sql`update calls set status = ${statuses[index % statuses.length] ?? ''} where id = ${id}`.execute(
        sums.api.db,
      );
    }
    const key = await sums.keyed(world);
    for (const query of [
      '',
      'status=completed',
      'status=ongoing',
      'status=registered',
      `bulk_list_id=${campaignId}`,
      `bulk_list_id=${campaignId}&status=failed`,
      `agent_id=${world.agentId}`,
      `agent_id=${newId()}`,
      'call_type=inbound',
      'start_date=2026-01-05',
      'end_date=2026-01-04',
      'start_date=2026-01-04&end_date=2026-01-05',
      'start_date=2026-01-05T09:59:59Z',
      'start_date=2026-01-03T18:30:00Z&end_date=2026-01-05T00:00:00Z',
      'start_date=2026-01-04T09:00:00Z&end_date=2026-01-05T11:00:00Z&status=failed',
      'start_date=2026-01-05T09:00:00Z&end_date=2026-01-05T11:00:00Z',
      'end_date=2026-01-05T09:00:00%2B05:30&call_type=outbound',
      'to_number=%2B12125550003',
      `from_number=%2B14155550100&bulk_list_id=${campaignId}`,
    ]) {
      const path = `/api/v0/calling/history?limit=200&${query}`;
      const answer = await sums.api.request('GET', path, { key });
      expect([query, answer.status, answer.body['total']]).toEqual([
        query,
        200,
        (answer.body['calls'] as unknown[]).length,
      ]);
    }
  });
});
