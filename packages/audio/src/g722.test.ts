import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createG722Decoder, createG722Encoder } from './g722.ts';

/** Two seconds: noise, loud noise, a sawtooth, and a square wave, whose peaks are `peak`. */
function signal(peak: number): Int16Array {
  let seed = 1;
  return Int16Array.from({ length: 32_000 }, (_, i) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const noise = (seed >>> 16) / 32_768 - 1;
    const part = Math.floor(i / 8_000);
    if (part === 0) return Math.trunc((noise * peak) / 4);
    if (part === 1) return Math.trunc(noise * peak);
    if (part === 2) return Math.trunc(((((i * 977) & 0x3fff) - 8_192) * peak) / 32_768);
    return i % 100 < 50 ? peak : -peak;
  });
}

const sha = (bytes: NodeJS.ArrayBufferView): string => createHash('sha256').update(bytes).digest('hex');

function coded(pcm: Int16Array): { bytes: Uint8Array; decoded: Int16Array } {
  const bytes = new Uint8Array(pcm.length / 2);
  createG722Encoder()(bytes, 0, pcm);
  const decoded = new Int16Array(pcm.length);
  createG722Decoder()(decoded, bytes);
  return { bytes, decoded };
}

/** Signal to noise in dB, at the delay of encoder and decoder. */
function fidelity(pcm: Int16Array, decoded: Int16Array): number {
  const delay = 22;
  let [power, error] = [0, 0];
  for (let i = 1_000; i < pcm.length - delay; i++) {
    power += (pcm[i] as number) ** 2;
    error += ((pcm[i] as number) - (decoded[i + delay] as number)) ** 2;
  }
  return 10 * Math.log10(power / error);
}

describe('G.722', () => {
  it('encodes and decodes as the codec of spandsp 0.0.6 does, bit for bit', () => {
    const { bytes, decoded } = coded(signal(12_000));
    expect(sha(bytes)).toBe('4a1250c0b6cc732f544ea7cd19d92b32cab779f9fa4966dc0ab69958a83e045b');
    expect(sha(decoded)).toBe('eb0b7210137527822dd0e45b665f41ed9aff5fe92984fb4276c220dda15df82e');
  });

  it('encodes audio at full scale as that codec does, and clips where the decoded audio exceeds it', () => {
    const { bytes, decoded } = coded(signal(32_767));
    expect(sha(bytes)).toBe('4a4fb3f7df04f0afee655b6afa27db27d7a00576718d3324df8429467a8b7f0d');
    expect(decoded.includes(32_767) && decoded.includes(-32_768)).toBe(true);
  });

  it.each([300, 1_000, 3_000, 6_000])('passes a tone of %i Hz', (hz) => {
    const pcm = Int16Array.from({ length: 16_000 }, (_, i) =>
      Math.round(8_000 * Math.sin((2 * Math.PI * hz * i) / 16_000)),
    );
    expect(fidelity(pcm, coded(pcm).decoded)).toBeGreaterThan(hz < 4_000 ? 30 : 15);
  });

  it('gives the same bytes for frames of any length', () => {
    const pcm = signal(20_000);
    const whole = coded(pcm).bytes;
    const encode = createG722Encoder();
    const parts = new Uint8Array(whole.length);
    let written = 0;
    for (let at = 0; at < pcm.length; at += 320)
      written += encode(parts, written, pcm.subarray(at, at + 320));
    expect(parts).toEqual(whole);
  });

  it('writes no more than the array holds', () => {
    expect(createG722Encoder()(new Uint8Array(5), 2, signal(100))).toBe(3);
    expect(createG722Decoder()(new Int16Array(5), new Uint8Array(9))).toBe(4);
  });
});
