import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { recorder, taken, THEM, trunkTo, US } from '../test/virtual-call.ts';
import { VirtualNetwork } from '../test/virtual-network.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** An answered call that its caller has ended, seen weakly. */
function endedCall() {
  const call = taken((leg) => leg.answer('answer'));
  call.within('ACK', { branch: 'ack' });
  call.within('BYE', { sequence: 8 });
  const leg = new WeakRef(call.legs.splice(0)[0] ?? {});
  return { leg, agent: call.agent, net: call.net, log: call.log };
}

it('holds nothing of a call that is over, while its transactions linger', async () => {
  const { leg, agent, net, log } = endedCall();
  expect(log.at(-1)).toBe('ended caller remote hangup null');
  // A WeakRef holds its object until the current job ends.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(agent.endpoint.live).toBe(2);
  expect(leg.deref()).toBeUndefined();
  net.scheduler.advance(33_000);
  expect(agent.endpoint.live).toBe(0);
});

/** One user agent that answers calls whose requests have 40 kB each, and their callers, who hang up at once. */
function largeCalls() {
  const net = new VirtualNetwork();
  const agent = net.agent(US, () => ({ kind: 'trunk', trunk: trunkTo(THEM) }));
  agent.setHandler((leg) => {
    leg.listen(recorder().events);
    leg.answer('answer');
  });
  const filler = Array.from({ length: 5 }, (_, n) => `X-Filler-${n}: ${'x'.repeat(8_000)}`);
  let toTag = '';
  net.attach(THEM, (bytes) => {
    toTag = /^To: .*;tag=(\S+)/m.exec(bytes.toString())?.[1] ?? toTag;
  });
  const send = (method: string, call: string, sequence: number, isWithin: boolean): void => {
    const body = method === 'INVITE' ? 'offer' : '';
    const lines = [
      `${method} sip:+15550100@${US} SIP/2.0`,
      `Via: SIP/2.0/UDP ${THEM}:5060;branch=z9hG4bK-${method}-of-the-call-${call}`,
      `From: <sip:+15550999@${THEM}>;tag=caller-of-the-call-${call}`,
      `To: <sip:+15550100@${US}>${isWithin ? `;tag=${toTag}` : ''}`,
      `Call-ID: the-call-${call}@${THEM}`,
      `CSeq: ${sequence} ${method}`,
      `Contact: <sip:+15550999@${THEM}>`,
      ...filler,
      'Content-Type: application/sdp',
      `Content-Length: ${body.length}`,
      '',
      body,
    ];
    net.deliver(Buffer.from(lines.join('\r\n')), THEM, US, 'udp');
    net.scheduler.advance(10);
  };
  const call = (name: string): void => {
    send('INVITE', name, 1, false);
    send('ACK', name, 1, true);
    send('BYE', name, 2, true);
  };
  return { agent, call };
}

it('holds no datagram of a call that is over, while its transactions linger', async () => {
  const { agent, call } = largeCalls();
  const calls = async (prefix: string): Promise<number> => {
    for (let n = 0; n < 100; n += 1) call(`${prefix}-${n}`);
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await calls('first');
  const growth = (await calls('second')) - before;
  expect(agent.endpoint.live).toBe(400);
  expect(agent.liveCalls).toBe(0);
  // A call takes some 5 kB; each request that it held would add 40.
  expect(growth / 100).toBeLessThan(20_000);
});
