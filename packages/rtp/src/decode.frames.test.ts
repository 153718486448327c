import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendPcm, createFrameAssembler } from './decode.ts';

function harness() {
  const assembler = createFrameAssembler(8000);
  const frames: { pcm: number[]; timestamp: number; concealed: boolean }[] = [];
  const out = {
    onFrame: (pcm: Int16Array, timestamp: number, concealed: boolean) => {
      frames.push({ pcm: [...pcm], timestamp, concealed });
    },
  };
  return {
    assembler,
    frames,
    append: (pcm: Int16Array, place: number, lost = 0) => appendPcm(assembler, pcm, place, lost, out, 0),
    shape: () => frames.map(({ timestamp, concealed }) => [timestamp, concealed]),
  };
}

const ramp = (from: number, count: number): Int16Array =>
  Int16Array.from({ length: count }, (_, i) => from + i);

describe('frame assembler', () => {
  it.each([80, 160, 240, 320, 480])('regroups packets of %i samples', (size) => {
    const { append, frames } = harness();
    for (let at = 0; at < 4800; at += size) append(ramp(at, size), at);
    expect(frames).toHaveLength(30);
    expect(frames.flatMap(({ pcm }) => pcm)).toEqual([...ramp(0, 4800)]);
    expect(frames.map(({ timestamp }) => timestamp)).toEqual(Array.from({ length: 30 }, (_, i) => i * 160));
  });

  it('conceals a loss and marks its frames', () => {
    const { append, shape, assembler } = harness();
    append(ramp(0, 160), 0);
    append(ramp(0, 160), 480, 2);
    expect(shape()).toEqual([
      [0, false],
      [160, true],
      [320, true],
      [480, false],
    ]);
    expect(assembler.concealedSamples).toBe(320);
  });

  it('conceals at most 60 ms of a long loss; the rest is a timestamp step', () => {
    const { append, shape } = harness();
    append(ramp(0, 160), 0);
    append(ramp(0, 160), 8000, 49);
    expect(shape()).toEqual([
      [0, false],
      [160, true],
      [320, true],
      [480, true],
      [8000, false],
    ]);
  });

  it('fills the current frame with silence at a pause', () => {
    const { append, frames } = harness();
    append(ramp(1, 80), 0);
    append(ramp(1, 160), 4000);
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([0, 4000]);
    expect(frames[0]?.pcm.slice(80)).toEqual([...new Int16Array(80)]);
  });

  it('spaces frames by at least 20 ms for any packet times', () => {
    const packet = fc.record({
      size: fc.integer({ min: 1, max: 500 }),
      gap: fc.constantFrom(0, 0, 0, 40, 700),
      lost: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 60 }), (packets) => {
        const { append, frames } = harness();
        let place = 0;
        let given = 0;
        for (const { size, gap, lost } of packets) {
          place += gap;
          append(ramp(1, size), place, lost);
          place += size;
          given += size;
        }
        const steps = frames.slice(1).map(({ timestamp }, i) => timestamp - (frames[i]?.timestamp ?? 0));
        expect(steps.every((step) => step >= 160)).toBe(true);
        expect(frames.length * 160).toBeGreaterThanOrEqual(given - 159);
      }),
      { numRuns: 300, seed: 8 },
    );
  });
});
