import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optOutOfCall } from '../../../src/domain/calls/opt-out.ts';
import { createTenant, createTestAgent, createTestApi, type TestApi } from '../../helpers/api/api.ts';
import {
  claimContact,
  dialContact,
  insertCampaign,
  settleContact,
} from '../../helpers/campaigns/campaigns.ts';
import { createNode } from '../../helpers/database/workspace.ts';

const NUMBER = '+12125550001';

describe('an opt-out in a campaign’s call', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi();
  });
  afterAll(() => api.close());

  it('adds the number to the do-not-call list and cancels its queued calls in every campaign and outside, once', async () => {
    const tenant = await createTenant(api);
    const agent = await createTestAgent(api, tenant);
    const nodeId = await createNode(api.db, 'n', api.clock.now());
    const lists = [];
    for (const contacts of [[{ number: NUMBER }], [{ number: NUMBER }, {}], [{ number: NUMBER }]]) {
      lists.push(await insertCampaign(api, tenant, agent, { contacts }));
    }
    for (const list_id of lists.slice(0, 2)) {
      const started = await api.request('POST', '/api/v0/campaign/start', {
        key: tenant.key,
        body: { agent_id: agent.agentId, list_id, from_numbers: [tenant.numberId] },
      });
      expect(started.status).toBe(200);
    }
    const placed = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      body: {
        name: 'P',
        mobile_number: '+14155550002',
        agent_id: agent.agentId,
        from_number_id: tenant.numberId,
      },
    });
    expect(placed.status).toBe(200);
    const live = await claimContact(api, tenant, lists[0]!, nodeId);
    await dialContact(api, live!);

    for (let turn = 0; turn < 2; turn += 1) await optOutOfCall(api, live!);
    const statuses = async (): Promise<string[]> =>
      (
        await api.db
          .selectFrom('calls')
          .select(['to_number', 'status', 'sub_status'])
          .where('workspace_id', '=', tenant.workspaceId)
          .orderBy('id')
          .execute()
      ).map((call) => `${call.to_number} ${call.status} ${call.sub_status}`);
    const cancelled = `${NUMBER} cancelled OPTED_OUT`;
    expect(await statuses()).toEqual([
      `${NUMBER} ongoing RINGING`,
      cancelled,
      '+12125550002 registered IN_DB',
      cancelled,
      '+14155550002 registered QUEUED',
    ]);
    await settleContact(api, live!, { kind: 'answered', reason: 'OPTED_OUT' });
    const listed = await api.db
      .selectFrom('do_not_call')
      .select(['number', 'reason'])
      .where('workspace_id', '=', tenant.workspaceId)
      .execute();
    expect(listed).toEqual([{ number: NUMBER, reason: 'OPTED_OUT' }]);
    expect((await statuses())[0]).toBe(`${NUMBER} completed OPTED_OUT`);
    const ends = await api.db
      .selectFrom('events')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('workspace_id', '=', tenant.workspaceId)
      .where('event_type', '=', 'all_processing_completed')
      .where('call_id', '!=', live!.callId)
      .executeTakeFirstOrThrow();
    expect(ends.n).toBe(2);
  });
});
