import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { JsonObject } from '../../../src/store/schema.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { refused } from '../../helpers/campaigns/list-upload-api.ts';
import { createNode } from '../../helpers/database/workspace.ts';

const ALWAYS = { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' };
const CUBA = '+5352123456';
const GERMANY = '+4915112345678';
const SATELLITE = '+881612345678';
const NOT_HERE = 'is a destination that this installation does not dial';
const NOT_OURS = 'is a destination that the workspace does not dial';
const COUNTRIES = ['US', '+49'];

let api: TestApi;
let tenant: Tenant;
let agentId = '';
beforeAll(async () => {
  api = await createTestApi({ countries: COUNTRIES });
  tenant = await createTenant(api, { unlimited: true });
  ({ agentId } = await createTestAgent(api, tenant, { call_config: { call_time: ALWAYS } }));
});
afterAll(() => api.close());

const set = (settings: JsonObject): Promise<unknown> =>
  sql`update workspaces set settings = ${JSON.stringify(settings)} where id = ${tenant.workspaceId}`.execute(
    api.db,
  );
const place = (to: string): Promise<Answer> =>
  api.request('POST', '/api/v0/calling/outbound/individual', {
    key: tenant.key,
    body: { name: 'Sam', mobile_number: to, agent_id: agentId, from_number_id: tenant.numberId },
  });
const transferTo = (to: string): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: {
      operation: 'edit_on_call_tools',
      agent_id: agentId,
      on_call_tools: [{ type: 'CALL_TRANSFER_TOOL', transfer_to: to }],
    },
  });

describe('destinations of the installation and the workspace', () => {
  it('close individual calls and transfers with 422, and store nothing', async () => {
    await set({ limits: { allowed_destinations: ['DE', 'CU'] } });
    for (const [to, rule] of [
      [CUBA, NOT_HERE],
      ['+14155550123', NOT_OURS],
    ] as const) {
      const answer = await place(to);
      expect([answer.status, answer.body['message']]).toEqual([422, `mobile_number ${rule}`]);
      const saved = await transferTo(to);
      expect([saved.status, saved.body['message']]).toEqual([422, `on_call_tools[0].transfer_to ${rule}`]);
    }
    expect((await place(SATELLITE)).status).toBe(422);
    await set({ allow_premium_numbers: true });
    expect((await place(SATELLITE)).body['message']).toBe(`mobile_number ${NOT_HERE}`);
    expect(await api.db.selectFrom('calls').select('id').execute()).toEqual([]);
    expect([(await place(GERMANY)).status, (await transferTo(GERMANY)).status]).toEqual([200, 200]);
    await api.db.deleteFrom('calls').execute();
  });

  it('refuse rows of a contact list', async () => {
    await set({ limits: { allowed_destinations: ['DE', 'CU'] } });
    const answer = await uploadList(api, 'save', tenant.key, {
      file: `mobile_number,callee_name\n${GERMANY},a\n${CUBA},b\n005352123456,c\n+14155550123,d\n`,
      fields: { agent_id: agentId, country_code: '+49' },
    });
    refused(answer, 422, 'rows are invalid');
    const rows = answer.body['invalid_rows'] as { row: number }[];
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).toContain(NOT_HERE);
    expect(JSON.stringify(rows)).toContain(NOT_OURS);
  });

  it('end queued calls that the operator closed after they were placed', async () => {
    await set({ allow_premium_numbers: true });
    const placed = [];
    for (const to of ['+14155550123', '+14155550124', '+19005551234', GERMANY]) {
      placed.push((await place(to)).status);
    }
    expect(placed).toEqual([200, 200, 200, 200]);
    await set({ limits: { denied_destinations: ['+14155550124'] } });
    const claim = { db: api.db, clock: api.clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 } };
    const nodeId = await createNode(api.db);
    const batch = await claimBatch({ ...claim, nodeId, countries: ['US'] }, { visited: [], capacity: 100 });
    expect(batch?.claimed.map(({ toNumber }) => toNumber)).toEqual(['+14155550123']);
    const { rows } = await sql<{ to: string }>`
      select to_number as to from calls where status = 'error' and sub_status = 'NOT_ABLE_TO_CALL'
      order by to_number`.execute(api.db);
    expect(rows.map(({ to }) => to)).toEqual(['+14155550124', '+19005551234', GERMANY]);
  });
});
