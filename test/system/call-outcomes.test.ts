import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent, place, provisionWith, transcriptOf, whenCall, whenOver } from '../helpers/scenario.ts';
import { startService, type Service } from '../helpers/service.ts';

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

describe('how calls end', () => {
  it('a call that rings can be hung up through the API, and nobody is charged', async () => {
    const callId = await place(service, agentId, '+14155550003', once);
    await whenCall(service, callId, 'ringing', (call) => call.call_sub_status === 'RINGING');
    const { status } = await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
    expect(status).toBe(200);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_sub_status: 'USER_TERMINATED', call_cost: 0 });
    const { body } = await service.request('GET', '/api/v0/workspace');
    expect(body.workspace_info.locked_credits).toBe(0);
  });

  // Those that look at the workspace's money are alone; the others run side by side, each with a number of its own.
  it.concurrent.each([
    ['+14155550002', 'failed', 'BUSY', 486],
    ['+14155550005', 'failed', 'NOT_ABLE_TO_CALL', 404],
    ['+14155550009', 'failed', 'FAILED', 503],
  ])('%s: %s, %s', async (number, status, subStatus, sipCode) => {
    const call = await whenOver(service, await place(service, agentId, number, once));
    expect(call).toMatchObject({ call_status: status, call_sub_status: subStatus, call_cost: 0 });
    expect(call.attempts).toHaveLength(1);
    expect(call.attempts[0].sip_code).toBe(sipCode);
  });

  it.concurrent('a callee who stays silent is asked, then the call ends for idleness', async () => {
    const call = await whenOver(service, await place(service, agentId, '+14155550006', once));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_BECAME_IDLE' });
    expect(transcriptOf(call).length).toBeGreaterThan(1);
  });

  it.concurrent('a callee who hangs up in the middle of a sentence has left', async () => {
    const call = await whenOver(service, await place(service, agentId, '+14155550007', once));
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
    });
  });

  it.concurrent('a retry is scheduled within its budget and then placed', async () => {
    const callId = await place(service, agentId, '+14155560009', {
      call_config: { call_retry_config: { retry_count: 1, retry_failed: 0 } },
    });
    const call = await whenOver(service, callId);
    expect(call.call_status).toBe('completed');
    expect(call.attempts.map((a: any) => a.sub_status)[0]).toBe('FAILED');
    expect(call.attempts).toHaveLength(2);
  });

  it.concurrent('a live call can be hung up through the API', async () => {
    const callId = await place(service, agentId, '+14155550125', once);
    await whenCall(service, callId, 'answered', (call) => call.answered_at !== null);
    const { status } = await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
    expect(status).toBe(200);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
  });
});
