import {
  ALAW_SILENCE,
  type SampleRate,
  ULAW_SILENCE,
  createG722Decoder,
  createG722Encoder,
  decodeAlawTo,
  decodeUlawTo,
  encodeAlawTo,
  encodeUlawTo,
} from '@callwright/audio';
import type { Decode, Encode } from './decode.ts';
import { OPUS_CLOCK, opusTicks } from './opus.ts';

/**
 * One RTP audio encoding. `clockRate` is the RTP timestamp rate, `sampleRate` the PCM rate; they differ for G.722 (RFC 3551
 * section 4.5.2) and Opus.
 */
export interface AudioCodec {
  readonly name: 'PCMU' | 'PCMA' | 'G722' | 'OPUS';
  /** The static payload type of RFC 3551; above 95 the dynamic one of our offers. */
  readonly payloadType: number;
  /** What `a=rtpmap` calls it, with channels where there are several. */
  readonly encoding: string;
  /** Channels of `a=rtpmap`. */
  readonly channels: number;
  /** What our SDP says in `a=fmtp`; null: nothing. */
  readonly parameters: string | null;
  readonly clockRate: number;
  readonly sampleRate: SampleRate;
  /** Packets have one frame of any size; false: eight bytes a millisecond, cut anywhere. */
  readonly isFramed: boolean;
  /** The byte that repeats in a frame of silence; null: silence is encoded as other audio. */
  readonly silence: number | null;
  /** RTP clock ticks that a payload covers. */
  ticksOf(packet: Uint8Array): number;
  /** The encoder and decoder of one stream. Those of Opus are opened before the stream (`Opus.open`). */
  encoder(): Encode;
  decoder(): Decode;
}

const at64k = {
  channels: 1,
  parameters: null,
  clockRate: 8000,
  isFramed: false,
  ticksOf: (packet: Uint8Array) => packet.length,
};

const PCMU: AudioCodec = {
  ...at64k,
  name: 'PCMU',
  encoding: 'PCMU',
  payloadType: 0,
  sampleRate: 8000,
  silence: ULAW_SILENCE,
  encoder: () => encodeUlawTo,
  decoder: () => decodeUlawTo,
};

const PCMA: AudioCodec = {
  ...at64k,
  name: 'PCMA',
  encoding: 'PCMA',
  payloadType: 8,
  sampleRate: 8000,
  silence: ALAW_SILENCE,
  encoder: () => encodeAlawTo,
  decoder: () => decodeAlawTo,
};

const G722: AudioCodec = {
  ...at64k,
  name: 'G722',
  encoding: 'G722',
  payloadType: 9,
  sampleRate: 16_000,
  silence: null,
  encoder: createG722Encoder,
  decoder: createG722Decoder,
};

/** RFC 7587. Its packets are mono, although `a=rtpmap` always has two channels. */
const OPUS: AudioCodec = {
  name: 'OPUS',
  payloadType: 111,
  encoding: 'opus',
  channels: 2,
  parameters: 'maxplaybackrate=16000;sprop-maxcapturerate=16000;useinbandfec=1',
  clockRate: OPUS_CLOCK,
  sampleRate: 16_000,
  isFramed: true,
  silence: null,
  ticksOf: opusTicks,
  encoder: () => () => 0,
  decoder: () => () => 0,
};

/** Supported codecs. */
export const CODECS: readonly AudioCodec[] = [PCMU, PCMA, G722, OPUS];

/** The codecs of a trunk that names none, in offer order. */
export const USUAL_CODECS: readonly AudioCodec['name'][] = ['PCMU', 'PCMA'];

const BY_NAME = { PCMU, PCMA, G722, OPUS } as const;

export const codecByName = (name: AudioCodec['name']): AudioCodec => BY_NAME[name];

/** The codec of an rtpmap encoding (case-insensitive), or null when unsupported. */
export const codecOfEncoding = (encoding: string, clockRate: number, channels = 1): AudioCodec | null =>
  CODECS.find(
    (codec) =>
      codec.name === encoding.toUpperCase() && codec.clockRate === clockRate && codec.channels === channels,
  ) ?? null;

/** Payload types above it have a meaning only by the SDP (RFC 3551 section 6). */
const LAST_STATIC_TYPE = 95;

/** The codec of a static payload type, or null. */
export const codecOfStaticType = (payloadType: number): AudioCodec | null =>
  payloadType > LAST_STATIC_TYPE ? null : (CODECS.find((codec) => codec.payloadType === payloadType) ?? null);
