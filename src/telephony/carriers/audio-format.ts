import {
  ALAW_SILENCE,
  decodeAlawTo,
  decodeUlawTo,
  encodeAlawTo,
  encodeUlawTo,
  ULAW_SILENCE,
} from '@callwright/audio';

/** Audio of a carrier's stream at 8 kHz without a header; `l16`: linear, the low byte first. */
export type AudioFormat = 'ulaw' | 'alaw' | 'l16';

interface Codec {
  readonly bytesPerSample: number;
  /** The name in the figures of a call. */
  readonly name: string;
  /** Decodes as many samples as `pcm` has. */
  decode(pcm: Int16Array, bytes: Uint8Array): void;
  encode(pcm: Int16Array): Buffer;
}

const companded = (
  name: string,
  silence: number,
  decode: Codec['decode'],
  encodeTo: (bytes: Uint8Array, offset: number, pcm: Int16Array) => number,
): Codec => ({
  bytesPerSample: 1,
  name,
  decode,
  encode(pcm) {
    const bytes = Buffer.alloc(pcm.length, silence);
    encodeTo(bytes, 0, pcm);
    return bytes;
  },
});

export const CODECS: Readonly<Record<AudioFormat, Codec>> = {
  ulaw: companded('PCMU', ULAW_SILENCE, decodeUlawTo, encodeUlawTo),
  alaw: companded('PCMA', ALAW_SILENCE, decodeAlawTo, encodeAlawTo),
  l16: {
    bytesPerSample: 2,
    name: 'L16',
    decode(pcm, bytes) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let i = 0; i < pcm.length; i += 1) pcm[i] = view.getInt16(i * 2, true);
    },
    encode(pcm) {
      const bytes = Buffer.alloc(pcm.length * 2);
      for (let i = 0; i < pcm.length; i += 1) bytes.writeInt16LE(pcm[i] ?? 0, i * 2);
      return bytes;
    },
  },
};
