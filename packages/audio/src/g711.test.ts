import { describe, expect, it } from 'vitest';
import {
  ALAW_SILENCE,
  decodeAlawTo,
  decodeUlawTo,
  encodeAlawTo,
  encodeUlawTo,
  ULAW_SILENCE,
} from './g711.ts';

const ALL_CODES = Uint8Array.from({ length: 256 }, (_, i) => i);
const ALL_SAMPLES = Int16Array.from({ length: 65536 }, (_, i) => i - 32768);

/** G.711 tables 2a and 2b: positive mu-law decision values by segment end points, 14-bit scale, independent of the code. */
function muLawByDecisionValues(sample: number): number {
  const magnitude = Math.min(sample < 0 ? Math.floor((-sample - 1) / 4) : Math.floor(sample / 4), 8158);
  // Decision values: 0, 1, 3, ... 31, 35, ... 95, 103, ... 8031, 8159
  let value = 0;
  let index = 0;
  const steps = [2, 4, 8, 16, 32, 64, 128, 256];
  search: for (const [segment, step] of steps.entries()) {
    for (let i = 0; i < 16; i++) {
      const width = segment === 0 && i === 0 ? 1 : step;
      if (magnitude < value + width) break search;
      value += width;
      index += 1;
    }
  }
  return (sample < 0 ? 0x7f : 0xff) - Math.min(index, 127);
}

/** G.711 table 1a/1b: uniform in the first 64 steps of 2 (13-bit scale), then doubling widths. */
function aLawByDecisionValues(sample: number): number {
  const magnitude = sample < 0 ? Math.floor((-sample - 1) / 16) : Math.floor(sample / 16);
  let value = 0;
  let index = 0;
  search: for (const step of [1, 1, 2, 4, 8, 16, 32, 64]) {
    for (let i = 0; i < 16; i++) {
      if (magnitude < value + step) break search;
      value += step;
      index += 1;
    }
  }
  return ((sample < 0 ? 0 : 0x80) | Math.min(index, 127)) ^ 0x55;
}

describe('G.711', () => {
  it('encodes every 16-bit value by the decision values of the recommendation', () => {
    const mu = new Uint8Array(65536);
    const a = new Uint8Array(65536);
    expect(encodeUlawTo(mu, 0, ALL_SAMPLES)).toBe(65536);
    encodeAlawTo(a, 0, ALL_SAMPLES);
    const wrong = [...ALL_SAMPLES].filter(
      (sample, i) => mu[i] !== muLawByDecisionValues(sample) || a[i] !== aLawByDecisionValues(sample),
    );
    expect(wrong).toEqual([]);
  });

  it('decodes every byte to the quantised values of the recommendation', () => {
    const mu = new Int16Array(256);
    const a = new Int16Array(256);
    decodeUlawTo(mu, ALL_CODES);
    decodeAlawTo(a, ALL_CODES);
    for (let code = 0; code < 256; code++) {
      const inverted = ~code & 0xff;
      const exponent = (inverted >> 4) & 7;
      const step = 4 << (exponent + 1);
      const value = (0x80 << exponent) + step * (inverted & 15) + step / 2 - 132;
      expect(mu[code]).toBe(code < 128 ? -value + 0 : value);
      const even = (code ^ 0x55) & 0x7f;
      const segment = even >> 4;
      let mantissa = even & 15;
      if (segment > 0) mantissa += 16;
      mantissa = (mantissa << 4) + 8;
      if (segment > 1) mantissa <<= segment - 1;
      expect(a[code]).toBe(code > 127 ? mantissa : -mantissa);
    }
  });

  it('round-trips every byte except the negative zero of mu-law', () => {
    const mu = new Int16Array(256);
    const a = new Int16Array(256);
    decodeUlawTo(mu, ALL_CODES);
    decodeAlawTo(a, ALL_CODES);
    const muBack = new Uint8Array(256);
    const aBack = new Uint8Array(256);
    encodeUlawTo(muBack, 0, mu);
    encodeAlawTo(aBack, 0, a);
    expect([...aBack]).toEqual([...ALL_CODES]);
    expect([...muBack]).toEqual([...ALL_CODES].map((code) => (code === 0x7f ? 0xff : code)));
  });

  it("silence is the code of zero, and both arrays' bounds are respected", () => {
    const out = new Uint8Array(3);
    expect(encodeUlawTo(out, 2, new Int16Array(5))).toBe(1);
    expect([...out]).toEqual([0, 0, ULAW_SILENCE]);
    expect(encodeAlawTo(out, 0, new Int16Array(2))).toBe(2);
    expect(out[0]).toBe(ALAW_SILENCE);
    expect(decodeUlawTo(new Int16Array(2), new Uint8Array(9))).toBe(2);
    expect(decodeAlawTo(new Int16Array(9), new Uint8Array(2))).toBe(2);
  });
});
