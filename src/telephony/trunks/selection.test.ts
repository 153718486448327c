import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../packages/sip/test/virtual-network.ts';
import { inOrderOfWeight, type Gateway } from './selection.ts';

const gateway = (uri: string, priority: number, weight: number): Gateway => ({ uri, priority, weight });

/** How often each gateway comes first in 10,000 calls, in percent. */
function shares(gateways: readonly Gateway[]): Record<string, number> {
  const random = seededRandom(1);
  const count: Record<string, number> = {};
  for (let n = 0; n < 10_000; n++) {
    const first = inOrderOfWeight(gateways, random)[0]?.uri ?? '';
    count[first] = (count[first] ?? 0) + 0.01;
  }
  return count;
}

describe('the order of gateways', () => {
  it('shares calls by weight, within two points', () => {
    const found = shares([
      gateway('a', 1, 70),
      gateway('b', 1, 20),
      gateway('c', 1, 10),
      gateway('d', 2, 1_000),
    ]);
    expect(Math.abs((found['a'] ?? 0) - 70)).toBeLessThan(2);
    expect(Math.abs((found['b'] ?? 0) - 20)).toBeLessThan(2);
    expect(Math.abs((found['c'] ?? 0) - 10)).toBeLessThan(2);
    expect(found['d']).toBeUndefined();
  });

  it('shares calls evenly among gateways without weight, and gives them none beside others', () => {
    const even = shares([gateway('a', 1, 0), gateway('b', 1, 0)]);
    expect(Math.abs((even['a'] ?? 0) - 50)).toBeLessThan(2);
    expect(shares([gateway('a', 1, 0), gateway('b', 1, 5)])).toEqual({ b: expect.any(Number) });
  });

  it('names every gateway once, lower priorities first', () => {
    const some = fc.array(fc.record({ uri: fc.uuid(), priority: fc.nat(3), weight: fc.nat(5) }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(some, fc.nat(), (gateways, seed) => {
        const order = inOrderOfWeight(gateways, seededRandom(seed));
        expect(order.map(({ uri }) => uri).toSorted()).toEqual(gateways.map(({ uri }) => uri).toSorted());
        const priorities = order.map(({ priority }) => priority);
        expect(priorities).toEqual(priorities.toSorted((a, b) => a - b));
      }),
    );
  });
});
