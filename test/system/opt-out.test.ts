import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optOutOfCall } from '../../src/domain/calls/opt-out.ts';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../../src/providers/fake/openai-server.ts';
import { createTenant, createTestAgent, createTestApi, type TestApi } from '../helpers/api.ts';
import { claimContact, dialContact, insertCampaign, settleContact } from '../helpers/campaigns.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service.ts';
import { createNode } from '../helpers/world.ts';

const NUMBER = '+12125550001';

describe('an opt-out in a campaign’s call', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi();
  });
  afterAll(() => api.close());

  it('lists the number and cancels what waits for it in every campaign and beside them, once', async () => {
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

describe('an opt-out on a real call', () => {
  let model: FakeOpenAiServer;
  let service: Service;
  beforeAll(async () => {
    model = await startFakeOpenAiServer([
      {
        text: 'I am very sorry that we troubled you today. I have taken your number off every list of ours, and nobody from our side is ever going to call you again. Goodbye.',
        tools: [{ name: 'opt_out', args: {} }],
      },
    ]);
    service = await startService({
      provision: provisionWith({}),
      env: { LLM_BASE_URL: model.baseUrl, LLM_MODEL: 'scripted', SAFE_FETCH_ALLOW: '127.0.0.1' },
    });
  });
  afterAll(async () => {
    await service?.dispose();
    await model?.close();
  });

  it('holds for everybody while the agent still says goodbye', async () => {
    const agentId = await createAgent(service);
    const closed = { call_start_time: '00:00', call_end_time: '00:01', timezone: 'Etc/UTC' };
    const open = new Date().getUTCHours() === 0 ? { call_start_time: '12:00', call_end_time: '12:01' } : {};
    const waiting = await place(service, agentId, '+14155550123', {
      call_config: { call_time: { ...closed, ...open } },
    });
    const callId = await place(service, agentId, '+14155550123');
    const statusOf = async (id: string): Promise<string> =>
      (await service.request('GET', `/api/v0/calling/call-details?id=${id}`)).body.data.call_status;
    const during = await eventually(
      'the number to be listed',
      async () => {
        const { body } = await service.request('GET', '/api/v0/dnc?mobile_number=%2B14155550123');
        if (body.total === 0) return null;
        return {
          listed: body.numbers[0].reason,
          call: await statusOf(callId),
          other: await statusOf(waiting),
        };
      },
      60_000,
    );
    expect(during).toEqual({ listed: 'OPTED_OUT', call: 'ongoing', other: 'cancelled' });
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'OPTED_OUT' });
  });
});
