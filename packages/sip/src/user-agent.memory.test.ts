import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { taken } from '../test/virtual-call.ts';

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
