import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort, until } from '../helpers/peer-process.ts';
import { attachNumber, edit, inboundCalls, newInbound, startPhoneService } from '../helpers/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/scenario.ts';
import type { Service } from '../helpers/service.ts';
import { startSipp, type Sipp } from '../helpers/sipp.ts';
import { calling, transferring } from '../helpers/sipp-calls.ts';

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
    // SIPp sends no sound, so that the call must end for idleness well before the line counts as dead.
    call_config: { idle_timeout_warning: 2, idle_timeout_end: 3, mute_during_intro: false },
  });
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [
      { type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: DESK, ring_timeout_seconds: 8 },
    ],
  });
  await attachNumber(service, agentId, OURS);
});
afterAll(() => close());

let peer: Sipp | null = null;
afterEach(async () => {
  await peer?.stop();
  peer = null;
});

const logOf = (over: any): any => over.tool_call_logs.find((entry: any) => entry.name === 'to_desk');

/** A far side that behaves as `scenario` says. */
async function farSide(scenario: string, args: readonly string[] = []): Promise<Sipp> {
  peer = await startSipp({ scenario, port: trunkPort, trace: true, args });
  return peer;
}

/** One call to it. */
async function call(scenario: string): Promise<{ call: any; sipp: Sipp; log: any }> {
  const sipp = await farSide(scenario);
  const callId = await place(service, agentId, THEIRS, {
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  const over = await whenOver(service, callId, 40_000);
  return { call: over, sipp, log: logOf(over) };
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

  it('is done for somebody who called us too', async () => {
    const before = await inboundCalls(service);
    const target = `127.0.0.1:${service.sipPort}`;
    const sipp = await farSide(calling.isTransferred('100 Trying', '200 OK'), [
      '-m',
      '1',
      '-s',
      OURS,
      target,
    ]);
    const over = await whenOver(service, await newInbound(service, before), 40_000);
    expect(over).toMatchObject({
      call_direction: 'inbound',
      call_status: 'completed',
      call_sub_status: 'CALL_TRANSFERRED',
      hangup_by: 'agent',
    });
    expect(logOf(over)).toMatchObject({ ok: true, result: { status: 'transferred', sip_code: 200 } });
    expect(await sipp.exited()).toBe(0);
    expect(heard(sipp, 'REFER')).toBe(1);
  });

  it('keeps somebody who called us where the desk is busy: the agent goes on talking', async () => {
    const before = await inboundCalls(service);
    const target = `127.0.0.1:${service.sipPort}`;
    await farSide(calling.isTransferred('100 Trying', '486 Busy Here'), ['-m', '1', '-s', OURS, target]);
    const over = await whenOver(service, await newInbound(service, before), 40_000);
    expect(over).toMatchObject({ call_direction: 'inbound', call_sub_status: 'USER_BECAME_IDLE' });
    expect(logOf(over)).toMatchObject({ ok: false, result: { status: 'failed', sip_code: 486 } });
    expect(said(over)).toContain('customer number');
  });
});
