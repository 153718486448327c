import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, createTestAgent, createTestApi, type TestApi } from '../../helpers/api/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

describe('single calls from a number pool', () => {
  it('skip a resting number while another one may place calls', async () => {
    const tenant = await createTenant(api);
    const { agentId } = await createTestAgent(api, tenant);
    const { rows } = await sql<{ id: string }>`
      insert into numbers (workspace_id, id, number, trunk_id, created_at, updated_at)
      select workspace_id, gen_random_uuid(), '+14155559991', trunk_id, created_at, updated_at from numbers
      where id = ${tenant.numberId} returning id`.execute(api.db);
    const fresh = rows[0]?.id ?? '';
    const { body } = await api.request('POST', '/api/v0/number-pool', {
      key: tenant.key,
      body: { name: 'Pool', from_number_ids: [tenant.numberId, fresh] },
    });
    const restUntil = new Date(api.clock.now() + 1_800_000);
    await sql`update numbers set rest_until = ${restUntil} where id = ${tenant.numberId}`.execute(api.db);
    for (const last of [0, 1, 2]) {
      const placed = await api.request('POST', '/api/v0/calling/v2/outbound/individual', {
        key: tenant.key,
        body: {
          name: 'Ravi',
          mobile_number: `+1415555000${last}`,
          agent_id: agentId,
          number_pool_id: (body['number_pool'] as { id: string }).id,
        },
      });
      expect(placed.status).toBe(200);
    }
    const calls = await api.db.selectFrom('calls').select('number_id').execute();
    expect(calls.map((call) => call.number_id)).toEqual([fresh, fresh, fresh]);
  });
});
