/**
 * G.711 companding (ITU-T G.711 tables 1 and 2) between bytes and 16-bit linear samples. 14-bit mu-law and 13-bit
 * A-law values are left-aligned in 16 bits, so both laws share one scale. Table-driven.
 */
const MU_BIAS = 33;
const MU_MAX = 8191;

function expandMuLaw(code: number): number {
  const magnitude = ~code & 0x7f;
  const segment = magnitude >> 4;
  const level = ((2 * (magnitude & 0x0f) + MU_BIAS) << segment) - MU_BIAS;
  return (code & 0x80 ? level : -level) * 4;
}

function compressMuLaw(sample: number): number {
  const negative = sample < 0;
  const biased = Math.min((negative ? ~sample >> 2 : sample >> 2) + MU_BIAS, MU_MAX);
  const segment = 26 - Math.clz32(biased);
  const magnitude = (segment << 4) | ((biased >> (segment + 1)) & 0x0f);
  return (~magnitude & 0x7f) | (negative ? 0 : 0x80);
}

function expandALaw(code: number): number {
  const magnitude = (code ^ 0x55) & 0x7f;
  const segment = magnitude >> 4;
  const mantissa = 2 * (magnitude & 0x0f) + (segment === 0 ? 1 : 33);
  const level = (mantissa << Math.max(segment - 1, 0)) * 8;
  return code & 0x80 ? level : -level;
}

function compressALaw(sample: number): number {
  const negative = sample < 0;
  const linear = (negative ? ~sample : sample) >> 4;
  const segment = Math.max(0, 28 - Math.clz32(linear));
  const magnitude = (segment << 4) | ((segment === 0 ? linear : linear >> (segment - 1)) & 0x0f);
  return (magnitude ^ 0x55) | (negative ? 0 : 0x80);
}

const muLawToLinear = Int16Array.from({ length: 256 }, (_, code) => expandMuLaw(code));
const aLawToLinear = Int16Array.from({ length: 256 }, (_, code) => expandALaw(code));
const linearToMuLaw = Uint8Array.from({ length: 65536 }, (_, index) => compressMuLaw(index - 32768));
const linearToALaw = Uint8Array.from({ length: 65536 }, (_, index) => compressALaw(index - 32768));

/** The code of a zero sample. */
export const ULAW_SILENCE = 0xff;
export const ALAW_SILENCE = 0xd5;

function decode(table: Int16Array, dst: Int16Array, src: Uint8Array): number {
  const count = Math.min(dst.length, src.length);
  for (let i = 0; i < count; i++) dst[i] = table[src[i] as number] as number;
  return count;
}

function encode(table: Uint8Array, dst: Uint8Array, offset: number, src: Int16Array): number {
  const count = Math.min(dst.length - offset, src.length);
  for (let i = 0; i < count; i++) dst[offset + i] = table[(src[i] as number) + 32768] as number;
  return count;
}

/** Decodes as many bytes as both arrays hold into `dst`; returns the samples written. */
export const decodeUlawTo = (dst: Int16Array, src: Uint8Array): number => decode(muLawToLinear, dst, src);
export const decodeAlawTo = (dst: Int16Array, src: Uint8Array): number => decode(aLawToLinear, dst, src);

/** Encodes `src` into `dst` from `offset`; returns the bytes written. */
export const encodeUlawTo = (dst: Uint8Array, offset: number, src: Int16Array): number =>
  encode(linearToMuLaw, dst, offset, src);
export const encodeAlawTo = (dst: Uint8Array, offset: number, src: Int16Array): number =>
  encode(linearToALaw, dst, offset, src);
