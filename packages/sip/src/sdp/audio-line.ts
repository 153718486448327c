import { isIPv4 } from 'node:net';
import {
  type AudioCodec,
  type Direction,
  type OpusPreferences,
  codecOfEncoding,
  codecOfStaticType,
  isUnspecified,
} from '@callwright/rtp';
import { attributeOf, type SdpMedia, type SessionDescription } from './session-description.ts';
import { type CryptoLine, cryptoLines } from './crypto-line.ts';
import { opusPreferences } from './opus-preferences.ts';
import { parseConnection, parseHostName, parsePort } from './parse.ts';

/** A payload type of telephone-event, at one clock rate (RFC 4733). */
export interface DtmfType {
  payloadType: number;
  clockRate: number;
}

/** The telephone events that go with a codec: those of its clock, else those of 8000 Hz. */
export const dtmfFor = (dtmf: readonly DtmfType[], codec: AudioCodec): DtmfType | null =>
  dtmf.find(({ clockRate }) => clockRate === codec.clockRate) ??
  dtmf.find(({ clockRate }) => clockRate === 8000) ??
  null;

/** A codec with its number in a media line. */
export interface OfferedCodec {
  codec: AudioCodec;
  payloadType: number;
  /** Of Opus alone. */
  opus?: OpusPreferences;
}

/** An audio media line of the peer, as far as we support it. */
export interface AudioLine {
  address: string;
  port: number;
  rtcpPort: number;
  rtcpMux: boolean;
  protocol: string;
  /** Supported codecs in the order of the line. */
  codecs: readonly OfferedCodec[];
  /** Its numbers of telephone-event, in the order of the line. */
  dtmf: readonly DtmfType[];
  ptimeMs: number;
  /** The peer's direction, without receiving if `c=` is 0.0.0.0 (RFC 3264 section 8.4). */
  direction: Direction;
  /** True for RTP/SAVP: the peer sends no RTP in clear. */
  isSecure: boolean;
  /** The supported a=crypto lines, most wanted first. */
  crypto: readonly CryptoLine[];
}

const DEFAULT_PTIME_MS = 20;
const PROTOCOLS = new Set(['RTP/AVP', 'RTP/AVPF', 'RTP/SAVP', 'RTP/SAVPF']);
const DIRECTIONS = new Set<string>(['sendrecv', 'sendonly', 'recvonly', 'inactive']);

/** True for multicast, reserved and broadcast addresses: media must not be sent to them. */
function isMulticast(address: string): boolean {
  if (!isIPv4(address)) return /^ff/i.test(address);
  return Number(address.split('.')[0]) >= 224;
}

function directionOf(sdp: SessionDescription, media: SdpMedia): Direction {
  const named =
    media.attributes.findLast((attribute) => DIRECTIONS.has(attribute.name)) ??
    sdp.attributes.findLast((attribute) => DIRECTIONS.has(attribute.name));
  return (named?.name as Direction | undefined) ?? 'sendrecv';
}

const withoutReceiving = (direction: Direction): Direction =>
  direction === 'sendrecv' || direction === 'sendonly' ? 'sendonly' : 'inactive';

interface RtpMap {
  encoding: string;
  clockRate: number;
  channels: number;
}

function rtpMaps(media: SdpMedia): Map<number, RtpMap> {
  const maps = new Map<number, RtpMap>();
  for (const { name, value } of media.attributes) {
    const match =
      name === 'rtpmap' && /^(\d{1,3})\s+([!-.0-~]+)\/(\d{1,6})(?:\/(\d{1,2}))?$/.exec(value ?? '');
    if (!match) continue;
    const [, type, encoding, clockRate, channels] = match;
    maps.set(Number(type), {
      encoding: (encoding as string).toLowerCase(),
      clockRate: Number(clockRate),
      channels: channels === undefined ? 1 : Number(channels),
    });
  }
  return maps;
}

function codecOf(payloadType: number, map: RtpMap | undefined): AudioCodec | null {
  if (!map) return codecOfStaticType(payloadType);
  return codecOfEncoding(map.encoding, map.clockRate, map.channels);
}

function packetTime(media: SdpMedia): number {
  const read = (name: string): number | null => {
    const match = /^\d{1,4}/.exec(attributeOf(media.attributes, name) ?? '');
    return match && Number(match[0]) > 0 ? Number(match[0]) : null;
  };
  const wanted = Math.min(read('ptime') ?? DEFAULT_PTIME_MS, read('maxptime') ?? 60);
  return Math.min(60, Math.max(10, Math.floor(wanted / 10) * 10));
}

/** `a=rtcp:53020` or with an address (RFC 3605); only the port is used, with the address of the audio line. */
function rtcpPortOf(media: SdpMedia): number | null {
  const value = attributeOf(media.attributes, 'rtcp');
  if (value === undefined || value === null) return null;
  const [port, ...connection] = value.split(' ');
  const at = connection.join(' ');
  if (connection.length > 0 && parseConnection(at) === null && parseHostName(at) === null) return null;
  return parsePort(port as string) || null;
}

/** Interprets a media line as audio; returns the reason as a string if it is not supported. */
export function readAudioLine(sdp: SessionDescription, media: SdpMedia): AudioLine | string {
  if (media.kind !== 'audio') return 'not audio';
  if (media.port === 0) return 'media line disabled';
  if (!PROTOCOLS.has(media.protocol.toUpperCase())) return 'transport not supported';
  if (media.address === null)
    return media.hostName === null
      ? 'no usable connection address'
      : `no address for ${media.hostName} in c=`;
  if (isMulticast(media.address)) return 'multicast not supported';

  const maps = rtpMaps(media);
  const codecs: OfferedCodec[] = [];
  const dtmf: DtmfType[] = [];
  for (const format of media.formats) {
    const payloadType = /^\d{1,3}$/.test(format) ? Number(format) : 128;
    if (payloadType > 127) continue;
    const map = maps.get(payloadType);
    if (map?.encoding === 'telephone-event') {
      dtmf.push({ payloadType, clockRate: map.clockRate });
      continue;
    }
    const codec = codecOf(payloadType, map);
    if (codec?.name === 'OPUS')
      codecs.push({ codec, payloadType, opus: opusPreferences(media, payloadType) });
    else if (codec) codecs.push({ codec, payloadType });
  }
  if (codecs.length === 0) return 'no common codec';

  const direction = directionOf(sdp, media);
  const rtcpMux = attributeOf(media.attributes, 'rtcp-mux') !== undefined;
  return {
    address: media.address,
    port: media.port,
    rtcpPort: rtcpMux ? media.port : (rtcpPortOf(media) ?? Math.min(media.port + 1, 65535)),
    rtcpMux,
    protocol: media.protocol,
    codecs,
    dtmf,
    ptimeMs: packetTime(media),
    direction: isUnspecified(media.address) ? withoutReceiving(direction) : direction,
    isSecure: media.protocol.toUpperCase().startsWith('RTP/SAVP'),
    crypto: cryptoLines(media),
  };
}
