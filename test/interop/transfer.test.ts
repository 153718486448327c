import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, until } from '../helpers/sip/peer-process.ts';
import { attachNumber, edit, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { startSipp, type Sipp } from '../helpers/sip/sipp.ts';
import { calling, transferring } from '../helpers/sip/sipp-calls.ts';

const THEIRS = '+14155550123';
const DESK = '+14155550111';

/** A number of ours and the trunk whose peer a test plays, so that tests run side by side. */
interface Carrier {
  readonly ours: string;
  readonly port: number;
}

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let agentId = '';
let free: Carrier[] = [];
const peers: Sipp[] = [];
beforeAll(async () => {
  free = await Promise.all(
    Array.from({ length: 7 }, async (_, index) => ({ ours: `+1415555020${index}`, port: await freePort() })),
  );
  ({ service, close } = await startPhoneService(
    free.map(({ ours, port }) => ({ name: ours, uri: `sip:127.0.0.1:${port}`, transport: 'udp' })),
    free.map(({ ours }) => ({ number: ours, trunk: ours })),
  ));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya.',
    task: '1. Ask "What is your customer number?"\n2. Thank them and say goodbye.',
    // SIPp sends no RTP: the idle timeout must end the call before the media timeout.
    call_config: { idle_timeout_warning: 2, idle_timeout_end: 3, mute_during_intro: false },
  });
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [
      { type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: DESK, ring_timeout_seconds: 8 },
    ],
  });
  for (const { ours } of free) await attachNumber(service, agentId, ours);
});
afterAll(async () => {
  await Promise.all(peers.map((peer) => peer.stop()));
  await close();
});

const logOf = (over: any): any => over.tool_call_logs.find((entry: any) => entry.name === 'to_desk');

/** SIPp at the trunk's address with a scenario, until all tests have ended. */
async function startPeer(port: number, scenario: string, args: readonly string[] = []): Promise<Sipp> {
  const sipp = await startSipp({ scenario, port, trace: true, args });
  peers.push(sipp);
  return sipp;
}

const takeCarrier = (): Carrier => {
  const carrier = free.pop();
  if (carrier === undefined) throw new Error('each test needs a carrier of its own');
  return carrier;
};

/** Places one call to it and waits for its end. */
async function call(scenario: string): Promise<{ call: any; sipp: Sipp; log: any }> {
  const { ours, port } = takeCarrier();
  const sipp = await startPeer(port, scenario);
  const callId = await place(service, agentId, THEIRS, {
    from_number: ours,
    call_config: { call_retry_config: { retry_count: 0 } },
  });
  const over = await whenOver(service, callId);
  return { call: over, sipp, log: logOf(over) };
}

/** Calls one of our numbers with the scenario and waits for the call's end. */
async function receive(scenario: string): Promise<{ call: any; sipp: Sipp; log: any }> {
  const { ours, port } = takeCarrier();
  const sipp = await startPeer(port, scenario, ['-m', '1', '-s', ours, `127.0.0.1:${service.sipPort}`]);
  const callId = await eventually('the call to be on record', async () => {
    const { body } = await service.request('GET', '/api/v0/calling/history?call_type=inbound&limit=100');
    return body.calls.find((entry: any) => entry.to_number === ours)?.id ?? null;
  });
  const over = await whenOver(service, callId as string);
  return { call: over, sipp, log: logOf(over) };
}
const said = (over: unknown): string =>
  transcriptOf(over)
    .flatMap((line) => line.bot ?? [])
    .join('\n');
const received = (sipp: Sipp, method: string): number =>
  sipp.received().filter((line) => line.startsWith(`${method} `)).length;

describe.concurrent('cold transfer by REFER with SIPp as the peer', () => {
  it('succeeds on a 200 NOTIFY and ends our leg', async () => {
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
    await until(() => received(sipp, 'BYE') > 0, 'our BYE');
    expect(received(sipp, 'REFER')).toBe(1);
  });

  it.each<[string, string, object]>([
    [
      'the target is busy',
      transferring.reports('100 Trying', '486 Busy Here'),
      { status: 'failed', sip_code: 486 },
    ],
    ['the REFER is declined', transferring.refuses('603 Decline'), { status: 'failed', sip_code: 603 }],
    [
      'the peer does not support REFER',
      transferring.refuses('405 Method Not Allowed'),
      { status: 'failed', sip_code: 405 },
    ],
  ])('keeps the caller with the agent when %s', async (_what, scenario, result) => {
    const { call: over, sipp, log } = await call(scenario);
    expect(log).toMatchObject({ ok: false, result });
    expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_BECAME_IDLE' });
    expect(said(over)).toContain('customer number');
    await until(() => received(sipp, 'BYE') > 0, 'our BYE');
    expect(received(sipp, 'REFER')).toBe(1);
  });

  it('succeeds when the peer accepts the REFER and sends BYE at once', async () => {
    const { call: over, log } = await call(transferring.leaves);
    expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'CALL_TRANSFERRED' });
    expect(log).toMatchObject({ ok: true, result: { status: 'transferred' } });
  });

  it('transfers an inbound caller', async () => {
    const { call: over, sipp, log } = await receive(calling.isTransferred('100 Trying', '200 OK'));
    expect(over).toMatchObject({
      call_direction: 'inbound',
      call_status: 'completed',
      call_sub_status: 'CALL_TRANSFERRED',
      hangup_by: 'agent',
    });
    expect(log).toMatchObject({ ok: true, result: { status: 'transferred', sip_code: 200 } });
    expect(await sipp.exited()).toBe(0);
    expect(received(sipp, 'REFER')).toBe(1);
  });

  it('keeps an inbound caller with the agent when the target is busy', async () => {
    const { call: over, log } = await receive(calling.isTransferred('100 Trying', '486 Busy Here'));
    expect(over).toMatchObject({ call_direction: 'inbound', call_sub_status: 'USER_BECAME_IDLE' });
    expect(log).toMatchObject({ ok: false, result: { status: 'failed', sip_code: 486 } });
    expect(said(over)).toContain('customer number');
  });
});
