import { decodeAlawTo, decodeUlawTo, encodeAlawTo, encodeUlawTo } from '@callwright/audio';
import type { FakeFormat } from './wire.ts';

interface FakeCodec {
  decode(bytes: Buffer): Int16Array;
  encode(pcm: Int16Array): Buffer;
}

const companded = (
  decodeTo: (pcm: Int16Array, bytes: Uint8Array) => number,
  encodeTo: (bytes: Uint8Array, offset: number, pcm: Int16Array) => number,
): FakeCodec => ({
  decode(bytes) {
    const pcm = new Int16Array(bytes.length);
    decodeTo(pcm, bytes);
    return pcm;
  },
  encode(pcm) {
    const bytes = Buffer.alloc(pcm.length);
    encodeTo(bytes, 0, pcm);
    return bytes;
  },
});

/** Audio of streams as the stand-ins read and write it. */
export const FAKE_CODECS: Readonly<Record<FakeFormat, FakeCodec>> = {
  ulaw: companded(decodeUlawTo, encodeUlawTo),
  alaw: companded(decodeAlawTo, encodeAlawTo),
  l16: {
    decode: (bytes) => Int16Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(i * 2)),
    encode(pcm) {
      const bytes = Buffer.alloc(pcm.length * 2);
      pcm.forEach((sample, i) => bytes.writeInt16LE(sample, i * 2));
      return bytes;
    },
  },
};
