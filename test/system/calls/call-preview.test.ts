import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { signedIn, type Browser } from '../../helpers/browser/browser.ts';

let api: TestApi;
let tenant: Tenant;
let browser: Browser;
let agentId: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  browser = await signedIn(api, tenant.workspaceId, 'manager');
  ({ agentId } = await createTestAgent(api, tenant, {
    intro_message: 'Hello {{callee_name}}, your visit is on {{day}}. See you at {{place|our clinic}}.',
    call_config: {
      call_time: {
        call_start_time: '00:00',
        call_end_time: '00:00',
        timezone: 'America/New_York',
        use_callee_timezone: true,
      },
    },
  }));
});
afterAll(() => api?.close());

const preview = (body: Record<string, unknown>) =>
  browser.request('POST', '/dashboard-api/call-preview', { agent_id: agentId, ...body });

describe('POST /dashboard-api/call-preview', () => {
  it('answers first words, missing values and the window of each person, and places no call', async () => {
    const answer = await preview({
      contacts: [
        { name: 'Asha', mobile_number: '+1 415 555 0123', custom_args_values: { day: 'Monday' } },
        { name: 'Ravi' },
      ],
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      variables: [
        { name: 'day', needed_in: 'first message' },
        { name: 'place', needed_in: null },
      ],
      contacts: [
        {
          mobile_number: '+14155550123',
          says: 'Hello Asha, your visit is on Monday. See you at our clinic.',
          missing: [],
          calling_window: { callee_timezone: 'America/Los_Angeles', is_open: true, source: 'agent' },
        },
        { mobile_number: null, calling_window: null, is_night: false, missing: ['day'] },
      ],
    });
    const calls = await api.db
      .selectFrom('calls')
      .select('id')
      .where('workspace_id', '=', tenant.workspaceId)
      .execute();
    expect(calls).toEqual([]);
  });

  it('returns 404 for an agent of another workspace', async () => {
    const other = await createTenant(api);
    const stranger = await signedIn(api, other.workspaceId, 'manager');
    const answer = await stranger.request('POST', '/dashboard-api/call-preview', {
      agent_id: agentId,
      contacts: [{ name: 'Asha' }],
    });
    expect(answer.status).toBe(404);
  });

  it('refuses an empty list and an unknown field with their paths', async () => {
    for (const [contacts, field] of [
      [[], 'contacts'],
      [[{ nmae: 'x' }], 'contacts[0].nmae'],
    ] as const) {
      const answer = await preview({ contacts });
      expect(answer.status).toBe(422);
      expect((answer.body['errors'] as { field: string }[]).map((each) => each.field)).toEqual([field]);
    }
  });
});
