import { describe, expect, test } from 'vitest';
import type { SignallingEvents } from './call.ts';
import { VirtualNetwork, seededRandom } from '../test/virtual-network.ts';
import { outbound, THEM, trunkTo, US } from '../test/virtual-call.ts';

describe('two user agents over a lossy network', () => {
  test('1 000 calls with loss, duplication and reordering: every leg ends once on both sides, nothing leaks', () => {
    const random = seededRandom(20);
    const net = new VirtualNetwork(random);
    Object.assign(net.conditions, { loss: 0.2, duplication: 0.1, delayMs: 5, jitterMs: 60 });
    const caller = net.agent(US, () => ({ kind: 'drop' }));
    const callee = net.agent(THEM, () => ({ kind: 'trunk', trunk: trunkTo(US) }));
    const ends = { caller: 0, callee: 0, answered: 0, legs: 0 };
    const count = (side: 'caller' | 'callee', hangup: () => void): SignallingEvents => ({
      onRinging: () => {},
      onAnswered: () => {
        ends.answered++;
        net.scheduler.after(random() * 3000, hangup);
      },
      onFailed: () => ends[side]++,
      onEnded: () => ends[side]++,
      onReoffer: () => null,
      onDtmf: () => {},
    });
    callee.setHandler((leg) => {
      ends.legs++;
      leg.listen(count('callee', () => {}));
      leg.ringing();
      const choice = random();
      net.scheduler.after(random() * 4000, () => (choice < 0.2 ? leg.reject(486) : leg.answer('answer')));
      if (choice > 0.8) net.scheduler.after(random() * 6000, () => leg.hangup('agent'));
    });
    const trunk = trunkTo(THEM);
    for (let i = 0; i < 1000; i++) {
      const leg = caller.call(
        trunk,
        outbound({ attemptId: `a${i}`, ringTimeoutMs: 500 + random() * 6000 }),
        count('caller', () => leg.hangup('agent')),
      );
      if (random() < 0.2) net.scheduler.after(random() * 5000, () => leg.hangup('stop'));
      net.scheduler.advance(20);
    }
    net.scheduler.advance(300_000);
    expect(ends.caller).toBe(1000);
    expect(ends.callee).toBe(ends.legs);
    expect(ends.legs).toBeLessThanOrEqual(1000);
    expect(ends.answered).toBeGreaterThan(300);
    for (const agent of [caller, callee]) {
      expect(agent.liveCalls).toBe(0);
      expect(agent.busy).toBe(false);
      expect(agent.endpoint.live).toBe(0);
    }
    expect(net.scheduler.pending).toBe(0);
  });
});
