import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkOrder } from './chunk-order.ts';

const numbers = (chunks: readonly Buffer[]): number[] => chunks.map((chunk) => chunk[0] ?? -1);
const pushAll = (order: ChunkOrder, chunks: readonly number[]): number[] =>
  chunks.flatMap((chunk) => numbers(order.push(chunk, Buffer.from([chunk]))));

describe('chunks of a carrier', () => {
  it('come in their order, although neighbours change places and some come twice', () => {
    const order = new ChunkOrder();
    expect(pushAll(order, [1, 3, 2, 2, 5, 4, 6])).toEqual([1, 2, 3, 4, 5, 6]);
    expect([order.lost, order.late]).toEqual([0, 1]);
  });

  it('are given up when three later ones have come, and dropped when they come after that', () => {
    const order = new ChunkOrder();
    expect(pushAll(order, [1, 3, 4])).toEqual([1]);
    expect(pushAll(order, [5, 2, 6])).toEqual([3, 4, 5, 6]);
    expect([order.lost, order.late]).toEqual([1, 1]);
  });

  it('are each passed on once, in rising order, and few are held', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 })), (chunks) => {
        const passed = pushAll(new ChunkOrder(), chunks);
        expect(passed).toEqual([...new Set(passed)].sort((a, b) => a - b));
        const distinct = new Set(chunks.filter((chunk) => chunk > 0)).size;
        expect(passed.length).toBeLessThanOrEqual(distinct);
      }),
    );
  });
});
