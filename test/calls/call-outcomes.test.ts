import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent, place, provisionWith, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';

let service: Service;
let agentId = '';
beforeAll(async () => {
  service = await startService({ provision: provisionWith({}) });
  agentId = await createAgent(service, {
    call_config: { idle_timeout_warning: 2, idle_timeout_end: 5, max_call_length: 60 },
  });
});
afterAll(() => service?.dispose());

const once = { call_config: { call_retry_config: { retry_count: 0 } } };

describe('outcomes of calls over SIP', () => {
  it('an API hangup while the call rings ends it as USER_TERMINATED and charges nothing', async () => {
    const callId = await place(service, agentId, '+14155550003', once);
    await whenCall(service, callId, 'ringing', (call) => call.call_sub_status === 'RINGING');
    const { status } = await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
    expect(status).toBe(200);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_sub_status: 'USER_TERMINATED', call_cost: 0 });
    const { body } = await service.request('GET', '/api/v0/workspace');
    expect(body.workspace_info.locked_credits).toBe(0);
  });

  it.concurrent.each([
    ['+14155550002', 'failed', 'BUSY', 486],
    ['+14155550005', 'failed', 'NOT_ABLE_TO_CALL', 404],
    ['+14155550009', 'failed', 'FAILED', 503],
  ])('%s ends as %s, %s', async (number, status, subStatus, sipCode) => {
    const call = await whenOver(service, await place(service, agentId, number, once));
    expect(call).toMatchObject({ call_status: status, call_sub_status: subStatus, call_cost: 0 });
    expect(call.attempts).toHaveLength(1);
    expect(call.attempts[0].sip_code).toBe(sipCode);
  });

  it.concurrent('an API hangup of an answered call ends it as USER_TERMINATED', async () => {
    const callId = await place(service, agentId, '+14155550125', once);
    await whenCall(service, callId, 'answered', (call) => call.answered_at !== null);
    const { status } = await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
    expect(status).toBe(200);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
  });
});
