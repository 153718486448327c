import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayAll } from '../../helpers/sip/replays.ts';
import { createAgent, place, transcriptOf } from '../../helpers/service/scenario.ts';
import { startVirtualService, type VirtualService } from '../../rigs/calls/virtual-service.ts';

let service: VirtualService;
let agentId = '';
beforeAll(async () => {
  service = await startVirtualService();
  agentId = await createAgent(service, {
    call_config: { idle_timeout_warning: 2, idle_timeout_end: 5, max_call_length: 60 },
  });
});
afterAll(() => service?.close());

const once = { call_config: { call_retry_config: { retry_count: 0 } } };

describe('outcomes of conversations', () => {
  it('checks in on a silent callee, then ends the call as USER_BECAME_IDLE', async () => {
    const call = await service.whenOver(await place(service, agentId, '+14155550006', once));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_BECAME_IDLE' });
    expect(transcriptOf(call).length).toBeGreaterThan(1);
  });

  it('is USER_LEFT when the callee hangs up in the middle of a sentence', async () => {
    const call = await service.whenOver(await place(service, agentId, '+14155550007', once));
    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'caller',
    });
  });

  it('places a retry within its budget', async () => {
    const callId = await place(service, agentId, '+14155560009', {
      call_config: { call_retry_config: { retry_count: 1, retry_failed: 0 } },
    });
    const call = await service.whenOver(callId);
    expect(call.call_status).toBe('completed');
    expect(call.attempts.map((a: any) => a.sub_status)[0]).toBe('FAILED');
    expect(call.attempts).toHaveLength(2);
  });

  it('streams a live call to its watchers, from ringing to its end', async () => {
    const own = await createAgent(service);
    const callId = await place(service, own, '+14155550124');
    await service.dial();
    const stream = service.api.server.inject({
      method: 'GET',
      url: `/api/v0/calling/${callId}/live`,
      headers: { 'x-api-key': service.tenant.key },
    });
    await service.whenOver(callId);
    const { headers, payload } = await stream;
    expect(headers['content-type']).toBe('text/event-stream');
    const events = [...payload.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!));
    const types = events.map((event) => event.type);
    expect(types).toContain('line');
    expect(events.some((event) => event.subStatus === 'RINGING')).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'completed' });
  });

  it('replay to the same decisions, each of these calls', async () => {
    const { calls, different } = await replayAll(service);
    expect(calls).toBeGreaterThanOrEqual(4);
    expect(different).toEqual([]);
  });
});
