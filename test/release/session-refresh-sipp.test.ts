import { afterEach, expect, test } from 'vitest';
import { until } from '../helpers/sip/peer-process.ts';
import { place, verdict } from '../helpers/sip/placed-call.ts';
import { closePlanes } from '../helpers/sip/sip-plane.ts';
import { calleeOf, TRANSPORTS } from '../helpers/sip/sipp-plane.ts';
import { methods } from '../helpers/sip/sipp-calls.ts';

afterEach(closePlanes);

// 45 seconds: no peer may ask for a session below 90.
test('SIPp over UDP, TCP and TLS gets a re-INVITE in the middle of its session', async () => {
  const verdicts = TRANSPORTS.map(async (transport) => {
    const { peer, signalling } = await calleeOf(transport, methods.isRefreshed);
    const call = place(signalling);
    const acknowledged = (): number => peer.received().filter((line) => line.startsWith('ACK ')).length;
    await until(() => acknowledged() === 2, `the re-INVITE over ${transport} is acknowledged`);
    call.leg.hangup('agent done');
    await call.over();
    return [call.log, await verdict(peer)];
  });
  const call = [['answered', 'ended agent'], 'as written'];
  expect(await Promise.all(verdicts)).toEqual([call, call, call]);
});
