import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort, until } from '../helpers/sip/peer-process.ts';
import { createAgent, place, whenCall, whenOver } from '../helpers/service/scenario.ts';
import type { Service } from '../helpers/service/service.ts';
import { startSipp, type Sipp } from '../helpers/sip/sipp.ts';
import { verdict } from '../helpers/sip/placed-call.ts';
import { answering, calling, withHostName } from '../helpers/sip/sipp-calls.ts';
import { sidesOf, soundingMs } from '../helpers/audio/line-audio.ts';
import {
  attachNumber,
  hangUp,
  inboundCalls,
  newInbound,
  recordingOf,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';

const OURS = '+14155550100';
const THEIRS = '+14155550123';
/** Reserved by RFC 2606: no name service has an address for it. */
const NOWHERE = 'media.invalid';

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let agentId = '';
let trunkPort = 0;
beforeAll(async () => {
  trunkPort = await freePort();
  ({ service, close } = await startPhoneService(
    // A host name is held to the rules of an address: this trunk takes media from loopback alone.
    [{ name: 'carrier', uri: `sip:127.0.0.1:${trunkPort}`, transport: 'udp', media_ranges: ['127.0.0.0/8'] }],
    [{ number: OURS, trunk: 'carrier' }],
  ));
  agentId = await createAgent(service, {
    intro_message: 'Riverside Dental. What is your customer number?',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await attachNumber(service, agentId, OURS);
});
afterAll(() => close());

let peer: Sipp | null = null;
afterEach(async () => {
  await peer?.stop();
  peer = null;
});

/** SIPp at the trunk's address, which sends back the audio that it receives. */
async function carrier(scenario: string, args: readonly string[] = []): Promise<Sipp> {
  peer = await startSipp({ scenario, port: trunkPort, trace: true, args: ['-rtp_echo', ...args] });
  return peer;
}
const dial = (): Promise<string> =>
  place(service, agentId, THEIRS, { call_config: { call_retry_config: { retry_count: 0 } } });
const callsIn = (scenario: string): Promise<Sipp> =>
  carrier(scenario, ['-m', '1', '-s', OURS, `127.0.0.1:${service.sipPort}`]);
/** The caller's side has our audio only if it reached SIPp's media port. */
const echoMs = async (call: Parameters<typeof recordingOf>[0]): Promise<number> =>
  soundingMs(sidesOf(await recordingOf(call)).caller);

describe('a carrier with a host name in c= of its SDP', () => {
  it('answers our call, and hears the agent', async () => {
    const sipp = await carrier(withHostName('localhost', answering.waitsForBye));
    const callId = await dial();
    await whenCall(service, callId, 'answered', (call) => call.answered_at !== null);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await hangUp(service, callId);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
    expect(await echoMs(call)).toBeGreaterThan(500);
    expect(sipp.messages()).toContain('c=IN IP4 localhost');
  });

  it('answers with a name that has no address: ACK, BYE, and the call fails with 488', async () => {
    const sipp = await carrier(withHostName(NOWHERE, answering.waitsForBye));
    const call = await whenOver(service, await dial());
    expect(call).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'FAILED',
      call_cost: 0,
      attempts: [{ sip_code: 488 }],
    });
    await until(() => sipp.received().some((line) => line.startsWith('BYE ')), 'SIPp receives BYE');
  });

  it('calls us, and hears the agent', async () => {
    const before = await inboundCalls(service);
    const sipp = await callsIn(withHostName('localhost', calling.hangsUpAfter(4_000)));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(service, await newInbound(service, before));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
    expect(await echoMs(call)).toBeGreaterThan(500);
  });

  it('calls us without an offer, names the host in its ACK, and hears the agent', async () => {
    const before = await inboundCalls(service);
    const sipp = await callsIn(withHostName('localhost', calling.offersLate(4_000)));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(service, await newInbound(service, before));
    expect(await echoMs(call)).toBeGreaterThan(500);
  });

  it('calls us with a name that has no address: 488 with a warning', async () => {
    const before = await inboundCalls(service);
    const sipp = await callsIn(withHostName(NOWHERE, calling.isRefused(488)));
    expect(await verdict(sipp)).toBe('as written');
    expect(sipp.messages()).toMatch(/^Warning: 301 callwright "Host name in c= without an address"/im);
    const call = await whenOver(service, await newInbound(service, before));
    expect(call).toMatchObject({ call_status: 'failed', call_sub_status: 'FAILED', call_cost: 0 });
  });

  it('moves the audio there by re-INVITE', async () => {
    const before = await inboundCalls(service);
    const sipp = await callsIn(calling.movesTo('localhost'));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(service, await newInbound(service, before));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
    expect(await echoMs(call)).toBeGreaterThan(500);
  });

  it('offers a name that has no address by re-INVITE: 488 with a warning, and the call goes on', async () => {
    const before = await inboundCalls(service);
    const sipp = await callsIn(calling.cannotMoveTo(NOWHERE));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(service, await newInbound(service, before));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
  });
});
