import { beforeAll, describe, expect, it } from 'vitest';
import { watchLive } from '../helpers/calls/live-call.ts';
import { createAgent, whenOver } from '../helpers/service/scenario.ts';
import { verdict } from '../helpers/sip/placed-call.ts';
import { answering, calling, withHostName } from '../helpers/sip/sipp-calls.ts';
import { OURS, receives, useSippTrunk } from '../helpers/sip/sipp-trunk.ts';
import { sidesOf, soundingMs } from '../helpers/audio/line-audio.ts';
import { attachNumber, hangUp, inboundCalls, newInbound, recordingOf } from '../helpers/sip/phone-service.ts';

/** Reserved by RFC 2606: no name service has an address for it. */
const NOWHERE = 'media.invalid';

// A host name is held to the rules of an address: this trunk takes media from loopback alone. SIPp sends back what it hears.
const trunk = useSippTrunk({ trunk: { media_ranges: ['127.0.0.0/8'] }, args: ['-rtp_echo'] });
let agentId = '';
beforeAll(async () => {
  agentId = await createAgent(trunk.service, {
    intro_message: 'Riverside Dental. What is your customer number?',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await attachNumber(trunk.service, agentId, OURS);
});

/** Resolves once the agent has said its first message. */
async function hasAsked(callId: string): Promise<void> {
  const live = await watchLive(trunk.service, callId);
  await live.hasSaid(/customer number/);
  live.stop();
}
/** The caller's side has our audio only if it reached SIPp's media port. */
const echoMs = async (call: Parameters<typeof recordingOf>[0]): Promise<number> =>
  soundingMs(sidesOf(await recordingOf(call)).caller);

describe('a carrier with a host name in c= of its SDP', () => {
  it('answers our call, and hears the agent', async () => {
    const sipp = await trunk.carrier(withHostName('localhost', answering.waitsForBye));
    const callId = await trunk.dial(agentId);
    await hasAsked(callId);
    await hangUp(trunk.service, callId);
    const call = await whenOver(trunk.service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
    expect(await echoMs(call)).toBeGreaterThan(500);
    expect(sipp.messages()).toContain('c=IN IP4 localhost');
  });

  it('answers with a name that has no address: ACK, BYE, and the call fails with 488', async () => {
    const sipp = await trunk.carrier(withHostName(NOWHERE, answering.waitsForBye));
    const call = await whenOver(trunk.service, await trunk.dial(agentId));
    expect(call).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'FAILED',
      call_cost: 0,
      attempts: [{ sip_code: 488 }],
    });
    await receives(sipp, 'BYE');
  });

  it('calls us, and hears the agent', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(withHostName('localhost', calling.hangsUpAfter(4_000)));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(trunk.service, await newInbound(trunk.service, before));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
    expect(await echoMs(call)).toBeGreaterThan(500);
  });

  it('calls us without an offer, names the host in its ACK, and hears the agent', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(withHostName('localhost', calling.offersLate(4_000)));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(trunk.service, await newInbound(trunk.service, before));
    expect(await echoMs(call)).toBeGreaterThan(500);
  });

  it('calls us with a name that has no address: 488 with a warning', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(withHostName(NOWHERE, calling.isRefused(488)));
    expect(await verdict(sipp)).toBe('as written');
    expect(sipp.messages()).toMatch(/^Warning: 301 callwright "Host name in c= without an address"/im);
    const call = await whenOver(trunk.service, await newInbound(trunk.service, before));
    expect(call).toMatchObject({ call_status: 'failed', call_sub_status: 'FAILED', call_cost: 0 });
  });

  it('moves the audio there by re-INVITE', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(calling.movesTo('localhost'));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(trunk.service, await newInbound(trunk.service, before));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
    expect(await echoMs(call)).toBeGreaterThan(500);
  });

  it('offers a name that has no address by re-INVITE: 488 with a warning, and the call goes on', async () => {
    const before = await inboundCalls(trunk.service);
    const sipp = await trunk.callsIn(calling.cannotMoveTo(NOWHERE));
    expect(await verdict(sipp)).toBe('as written');
    const call = await whenOver(trunk.service, await newInbound(trunk.service, before));
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_LEFT' });
  });
});
