import {
  ALAW_SILENCE,
  type SampleRate,
  ULAW_SILENCE,
  decodeAlawTo,
  decodeUlawTo,
  encodeAlawTo,
  encodeUlawTo,
} from '@callwright/audio';

/**
 * One RTP audio encoding. `clockRate` is the RTP timestamp rate, `sampleRate` the PCM rate (they differ for G.722).
 * Encoders and decoders write into the caller's arrays and return the number of elements written.
 */
export interface AudioCodec {
  readonly name: 'PCMU' | 'PCMA';
  /** The static payload type of RFC 3551. */
  readonly payloadType: number;
  readonly clockRate: number;
  readonly sampleRate: SampleRate;
  /** The byte that repeats in a frame of silence. */
  readonly silence: number;
  /** RTP clock ticks that a payload of this many bytes covers. */
  ticksOf(payloadBytes: number): number;
  encodeTo(dst: Uint8Array, offset: number, src: Int16Array): number;
  decodeTo(dst: Int16Array, src: Uint8Array): number;
}

const PCMU: AudioCodec = {
  name: 'PCMU',
  payloadType: 0,
  clockRate: 8000,
  sampleRate: 8000,
  silence: ULAW_SILENCE,
  ticksOf: (payloadBytes) => payloadBytes,
  encodeTo: encodeUlawTo,
  decodeTo: decodeUlawTo,
};

const PCMA: AudioCodec = {
  name: 'PCMA',
  payloadType: 8,
  clockRate: 8000,
  sampleRate: 8000,
  silence: ALAW_SILENCE,
  ticksOf: (payloadBytes) => payloadBytes,
  encodeTo: encodeAlawTo,
  decodeTo: decodeAlawTo,
};

/** Supported codecs in offer order. */
export const CODECS: readonly AudioCodec[] = [PCMU, PCMA];

export const codecByName = (name: AudioCodec['name']): AudioCodec => (name === 'PCMU' ? PCMU : PCMA);

/** The codec of an rtpmap encoding (case-insensitive), or null when unsupported. */
export const codecOfEncoding = (encoding: string, clockRate: number): AudioCodec | null =>
  CODECS.find((codec) => codec.name === encoding.toUpperCase() && codec.clockRate === clockRate) ?? null;

/** The codec of a static payload type, or null. */
export const codecOfStaticType = (payloadType: number): AudioCodec | null =>
  payloadType === 0 ? PCMU : payloadType === 8 ? PCMA : null;
