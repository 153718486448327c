import { describe, expect, it } from 'vitest';
import { FrameRelay } from './frame-relay.ts';

const frame = (value: number): Int16Array => new Int16Array(160).fill(value);
const drain = (relay: FrameRelay): number[] => {
  const out = new Int16Array(160);
  const values: number[] = [];
  while (relay.take(out)) values.push(out[0] ?? 0);
  return values;
};

describe('one way across a bridge', () => {
  it('begins with two frames waiting, keeps their order and begins anew after a gap', () => {
    const relay = new FrameRelay(8000);
    relay.push(frame(1));
    expect(drain(relay)).toEqual([]);
    relay.push(frame(2));
    relay.push(frame(3));
    expect(drain(relay)).toEqual([1, 2, 3]);
    relay.push(frame(4));
    expect(drain(relay)).toEqual([]);
    relay.push(frame(5));
    expect(drain(relay)).toEqual([4, 5]);
  });

  it('copies what it is given: the giver uses its array again', () => {
    const relay = new FrameRelay(8000);
    const reused = frame(1);
    relay.push(reused);
    relay.push(reused.fill(2));
    reused.fill(9);
    expect(drain(relay)).toEqual([1, 2]);
  });

  it('never holds more than 160 ms back: a burst loses its oldest frames', () => {
    const relay = new FrameRelay(8000);
    for (let i = 1; i <= 9; i++) relay.push(frame(i));
    expect(drain(relay)).toEqual([7, 8, 9]);
    for (let i = 1; i <= 1000; i++) relay.push(frame(i));
    const left = drain(relay);
    expect(left.length).toBeLessThanOrEqual(8);
    expect(left.at(-1)).toBe(1000);
  });
});
