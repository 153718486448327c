import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clearQueue, createFrameQueue, pushPcm, readFrame, truncate } from './frame-queue.ts';

describe('frame queue', () => {
  it('returns the pushed samples in frames, padded with silence at the end', () => {
    const queue = createFrameQueue();
    pushPcm(queue, Int16Array.of(1, 2, 3));
    pushPcm(queue, new Int16Array(0));
    pushPcm(queue, Int16Array.of(4, 5, 6, 7));
    const frame = new Int16Array(5).fill(99);
    expect([readFrame(queue, frame), ...frame]).toEqual([5, 1, 2, 3, 4, 5]);
    expect([readFrame(queue, frame), ...frame]).toEqual([2, 6, 7, 0, 0, 0]);
    expect([readFrame(queue, frame), ...frame]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('returns on clear how much was played and dropped', () => {
    const queue = createFrameQueue();
    pushPcm(queue, new Int16Array(400));
    readFrame(queue, new Int16Array(160));
    expect(clearQueue(queue)).toEqual({ playedSamples: 160, droppedSamples: 240 });
    expect(readFrame(queue, new Int16Array(160))).toBe(0);
    expect(clearQueue(queue)).toEqual({ playedSamples: 0, droppedSamples: 0 });
  });

  it('behaves like a plain list under any order of calls', () => {
    const step = fc.oneof(
      fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 7 }),
      fc.constant('read' as const),
      fc.constant('clear' as const),
      fc.integer({ min: 0, max: 12 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const queue = createFrameQueue();
        const got: unknown[] = [];
        const wanted: unknown[] = [];
        let list: number[] = [];
        let played = 0;
        const frame = new Int16Array(4);
        for (const next of steps) {
          if (next === 'read') {
            const expected = list.splice(0, 4);
            played += expected.length;
            wanted.push(expected);
            got.push([...frame.subarray(0, readFrame(queue, frame))]);
          } else if (next === 'clear') {
            wanted.push({ playedSamples: played, droppedSamples: list.length });
            got.push(clearQueue(queue));
            list = [];
            played = 0;
          } else if (typeof next === 'number') {
            truncate(queue, next);
            list = list.slice(0, next);
          } else {
            pushPcm(queue, Int16Array.from(next));
            list.push(...next);
          }
          wanted.push(list.length);
          got.push(queue.length);
        }
        expect(got).toEqual(wanted);
      }),
    );
  });
});
