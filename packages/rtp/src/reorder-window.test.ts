import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReorderWindow, pushPacket, tickWindow, type OrderedOut } from './reorder-window.ts';

interface Out {
  tag: number;
  place: number;
  lost: number;
  at: number;
}

/** A window at 8 kHz with one-byte packet tags, and the packets it released. */
function harness(ticks = 160) {
  const window = createReorderWindow(8000);
  const left: Out[] = [];
  const out: OrderedOut = {
    onPacket: (_type, payload, _ticks, place, lost, at) => {
      left.push({ tag: payload[0] as number, place, lost, at });
    },
  };
  return {
    window,
    left,
    tags: () => left.map((packet) => packet.tag),
    places: () => left.map((packet) => packet.place),
    push: (sequence: number, at: number, more: { timestamp?: number; ssrc?: number; ticks?: number } = {}) =>
      pushPacket(
        window,
        {
          sequence: sequence & 0xffff,
          timestamp: (more.timestamp ?? sequence * ticks) >>> 0,
          ssrc: more.ssrc ?? 1,
          payloadType: 0,
          ticks: more.ticks ?? ticks,
          payload: Uint8Array.of(sequence & 0xff),
        },
        at,
        out,
      ),
    tick: (at: number) => tickWindow(window, at, out),
  };
}

describe('reorder window', () => {
  it('releases packets in sequence at once', () => {
    const { push, left } = harness();
    for (let i = 0; i < 5; i++) push(10 + i, 1000 + i * 20);
    expect(left.map(({ at }) => at)).toEqual([1000, 1020, 1040, 1060, 1080]);
    expect(left.map(({ place }) => place)).toEqual([0, 160, 320, 480, 640]);
  });

  it('reorders a swapped pair without counting loss', () => {
    const { push, tags, window } = harness();
    for (const sequence of [1, 3, 2, 4]) push(sequence, 1000);
    expect(tags()).toEqual([1, 2, 3, 4]);
    expect(window).toMatchObject({ lost: 0, late: 0, received: 4 });
  });

  it('gives up a missing packet when the second packet after it arrives', () => {
    const { push, left, window } = harness();
    push(1, 1000);
    push(3, 1040);
    expect(left).toHaveLength(1);
    push(4, 1060);
    expect(left).toEqual([
      { tag: 1, place: 0, lost: 0, at: 1000 },
      { tag: 3, place: 320, lost: 1, at: 1060 },
      { tag: 4, place: 480, lost: 0, at: 1060 },
    ]);
    expect(window.lost).toBe(1);
  });

  it('gives up a missing packet by time when no packet follows', () => {
    const { push, tick, tags } = harness();
    push(1, 1000);
    push(3, 1040);
    tick(1050);
    expect(tags()).toEqual([1]);
    tick(1060);
    expect(tags()).toEqual([1, 3]);
  });

  it('raises the depth after late packets up to three and lowers it in calm', () => {
    const { push, window, tags } = harness();
    push(1, 1000);
    push(3, 1000);
    push(4, 1000);
    push(2, 1000);
    expect(window).toMatchObject({ late: 1, depth: 2 });
    push(6, 1000);
    push(7, 1000);
    push(5, 1000);
    expect(tags()).toEqual([1, 3, 4, 5, 6, 7]);
    for (const sequence of [9, 10, 11, 8]) push(sequence, 1000);
    expect(window).toMatchObject({ late: 2, depth: 3 });
    // At depth three the fourth packet after a gap gives it up.
    for (const sequence of [13, 14, 15]) push(sequence, 1000);
    expect(tags().at(-1)).toBe(11);
    for (const sequence of [16, 12]) push(sequence, 1000);
    expect(tags().slice(-4)).toEqual([13, 14, 15, 16]);
    expect(window).toMatchObject({ late: 3, depth: 3 });
    for (let i = 0; i < 1000; i++) push(17 + i, 1000 + i * 20);
    expect(window.depth).toBe(1);
  });

  it('drops duplicates of released and of held packets', () => {
    const { push, tags, window } = harness();
    for (const sequence of [1, 1, 3, 3, 2, 2, 3]) push(sequence, 1000);
    expect(tags()).toEqual([1, 2, 3]);
    expect(window.duplicates).toBe(4);
  });

  it('handles the wrap of sequence number and timestamp', () => {
    const { push, places, tags } = harness();
    for (let i = 0; i < 6; i++) push(65_533 + i, 1000 + i * 20, { timestamp: 0xffffff00 + i * 160 });
    expect(tags()).toEqual([253, 254, 255, 0, 1, 2]);
    expect(places()).toEqual([0, 160, 320, 480, 640, 800]);
  });

  it('reports a pause of the sender as a timestamp step, not as loss', () => {
    const { push, left } = harness();
    push(1, 1000, { timestamp: 0 });
    push(2, 3000, { timestamp: 16_000 });
    expect(left[1]).toEqual({ tag: 2, place: 16_000, lost: 0, at: 3000 });
  });

  it('does not count telephone events as audio loss', () => {
    const { push, left, window } = harness();
    push(1, 1000);
    push(2, 1020, { ticks: 0 });
    push(3, 1040, { ticks: 0 });
    push(4, 1060);
    expect(left.at(-1)).toMatchObject({ place: 480, lost: 0 });
    expect(window.lost).toBe(0);
  });

  it('bridges a jump of the sender’s clock by the elapsed wall time', () => {
    const { push, places } = harness();
    push(1, 1000, { timestamp: 0 });
    push(2, 1020, { timestamp: 3_000_000_000 });
    push(3, 1040, { timestamp: 3_000_000_160 });
    push(4, 4060, { timestamp: 77 });
    expect(places()).toEqual([0, 160, 320, 480 + 24_000]);
  });

  it('continues without a gap when timestamps overlap', () => {
    const { push, places } = harness(240);
    for (let i = 0; i < 4; i++) push(i, 1000 + i * 30, { timestamp: i * 160 });
    expect(places()).toEqual([0, 240, 480, 720]);
  });

  it('restarts at the second packet of a new SSRC without losing either, on a continuous timeline', () => {
    const { push, left, window } = harness();
    push(1, 1000);
    push(40_000, 1100, { ssrc: 2, timestamp: 5 });
    expect(left).toHaveLength(1);
    push(40_001, 1120, { ssrc: 2, timestamp: 165 });
    expect(left.slice(1)).toEqual([
      { tag: 40_000 & 255, place: 160 + 640, lost: 0, at: 1120 },
      { tag: 40_001 & 255, place: 160 + 800, lost: 0, at: 1120 },
    ]);
    expect(window.restarts).toBe(1);
  });

  it('ignores single packets of another SSRC or with distant sequence numbers', () => {
    const { push, tags, window } = harness();
    for (let i = 1; i < 9; i++) {
      push(i, 1000 + i * 20);
      push(500 + i, 1000 + i * 20, { ssrc: 9 });
      push(30_000 + i * 7, 1000 + i * 20);
    }
    expect(tags()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(window.restarts).toBe(0);
  });

  it('stays with the current stream while a second one interleaves', () => {
    const { push, tags, window } = harness();
    for (let i = 1; i < 9; i++) {
      push(i, 1000 + i * 20);
      push(500 + i, 1000 + i * 20, { ssrc: 9 });
    }
    expect(tags()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(window.restarts).toBe(0);
  });

  it('restarts two packets after a large sequence jump', () => {
    const { push, tags } = harness();
    push(1, 1000);
    push(20_000, 1020);
    push(20_001, 1040);
    push(20_002, 1060);
    expect(tags()).toEqual([1, 20_000 & 255, 20_001 & 255, 20_002 & 255]);
  });

  it('never repeats a packet, never goes back in time, and loses only late or missing packets', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 65_535 }),
        fc.array(fc.record({ drop: fc.nat(9), delay: fc.nat(120), copy: fc.nat(19) }), {
          minLength: 1,
          maxLength: 120,
        }),
        (first, network) => {
          const { push, tick, left, window } = harness();
          const arrivals = network.flatMap(({ drop, delay, copy }, i) => {
            if (drop === 0) return [];
            const packet = { sequence: first + i, at: 10_000 + i * 20 + delay };
            return copy === 0 ? [packet, { ...packet, at: packet.at + 7 }] : [packet];
          });
          arrivals.sort((a, b) => a.at - b.at);
          for (const { sequence, at } of arrivals) {
            push(sequence, at, { timestamp: sequence * 160 });
            tick(at);
          }
          for (let at = 20_000; at < 21_000; at += 20) tick(at);
          const places = left.map(({ place }) => place);
          expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
          expect(window.held).toBe(0);
          expect(left.length).toBe(window.received);
          // Every input packet was released, late or a duplicate.
          expect(left.length + window.late + window.duplicates).toBe(arrivals.length);
        },
      ),
      { numRuns: 400, seed: 5 },
    );
  });

  it('handles arbitrary packet fields', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            sequence: fc.nat(0xffff),
            timestamp: fc.nat(0xffffffff),
            ssrc: fc.nat(2),
            ticks: fc.constantFrom(0, 80, 160, 240, 1460),
            at: fc.nat(100_000),
          }),
          { maxLength: 200 },
        ),
        (packets) => {
          const { push, tick, left, window } = harness();
          for (const { sequence, at, ...more } of packets) {
            push(sequence, at, more);
            tick(at + 60);
          }
          const places = left.map(({ place }) => place);
          expect(places.every((place, i) => i === 0 || place >= (places[i - 1] as number))).toBe(true);
          expect(window.depth).toBeLessThanOrEqual(3);
        },
      ),
      { numRuns: 500, seed: 6 },
    );
  });
});
