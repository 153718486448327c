import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort, until } from '../helpers/peer-process.ts';
import { startPhoneService } from '../helpers/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/scenario.ts';
import type { Service } from '../helpers/service.ts';
import { startSipp, type Sipp } from '../helpers/sipp.ts';
import { transferring } from '../helpers/sipp-calls.ts';

const OURS = '+14155550100';
const THEIRS = '+14155550123';
const DESK = '+14155550111';

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let agentId = '';
let trunkPort = 0;
beforeAll(async () => {
  trunkPort = await freePort();
  ({ service, close } = await startPhoneService(
    [{ name: 'carrier', uri: `sip:127.0.0.1:${trunkPort}`, transport: 'udp' }],
    [{ number: OURS, trunk: 'carrier' }],
  ));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya.',
    task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 3, idle_timeout_end: 6, mute_during_intro: false },
  });
  const { status } = await service.request('PATCH', '/api/v0/agent/v1', {
    operation: 'edit_on_call_tools',
    agent_id: agentId,
    on_call_tools: [
      { type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: DESK, ring_timeout_seconds: 8 },
    ],
  });
  if (status !== 200) throw new Error(`the tool was not set: ${status}`);
});
afterAll(() => close());

let peer: Sipp | null = null;
afterEach(async () => {
  await peer?.stop();
  peer = null;
});

/** One call to a far side that behaves as `scenario` says. */
async function call(scenario: string): Promise<{ call: any; sipp: Sipp; log: any }> {
  const mediaPort = String(2 * Math.floor(26_000 + Math.random() * 3_000));
  const sipp = await startSipp({ scenario, port: trunkPort, trace: true, args: ['-mp', mediaPort] });
  peer = sipp;
  const callId = await place(service, agentId, THEIRS, {
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  const over = await whenOver(service, callId, 40_000);
  return { call: over, sipp, log: over.tool_call_logs.find((entry: any) => entry.name === 'to_desk') };
}
const said = (over: unknown): string =>
  transcriptOf(over)
    .flatMap((line) => line.bot ?? [])
    .join('\n');
const heard = (sipp: Sipp, method: string): number =>
  sipp.heard().filter((line) => line.startsWith(`${method} `)).length;

describe('a cold transfer by REFER, the far side played by SIPp', () => {
  it('is done when the far side reports that the desk has answered: we leave the call', async () => {
    const { call: over, sipp, log } = await call(transferring.reports('100 Trying', '180 Ringing', '200 OK'));
    expect(over).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'CALL_TRANSFERRED',
      hangup_by: 'agent',
    });
    expect(log).toMatchObject({
      ok: true,
      result: { status: 'transferred', sip_code: 200 },
      ms: expect.any(Number),
    });
    await until(() => heard(sipp, 'BYE') > 0, 'our BYE');
    expect(heard(sipp, 'REFER')).toBe(1);
  });

  it.each<[string, string, object]>([
    ['is busy', transferring.reports('100 Trying', '486 Busy Here'), { status: 'failed', sip_code: 486 }],
    ['is refused', transferring.refuses('603 Decline'), { status: 'failed', sip_code: 603 }],
    [
      'is not known there',
      transferring.refuses('405 Method Not Allowed'),
      { status: 'failed', sip_code: 405 },
    ],
  ])('keeps the caller where it %s: the agent goes on talking', async (_what, scenario, result) => {
    const { call: over, sipp, log } = await call(scenario);
    expect(log).toMatchObject({ ok: false, result });
    expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_BECAME_IDLE' });
    expect(said(over)).toContain('customer number');
    expect(heard(sipp, 'REFER')).toBe(1);
    await until(() => heard(sipp, 'BYE') > 0, 'our BYE');
  });

  it('counts as done where the far side takes the caller and hangs up at once', async () => {
    const { call: over, log } = await call(transferring.leaves);
    expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'CALL_TRANSFERRED' });
    expect(log).toMatchObject({ ok: true, result: { status: 'transferred' } });
  });
});
