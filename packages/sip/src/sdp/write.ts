import type { AudioCodec, Direction } from '@callwright/rtp';
import type { DtmfType } from './audio-line.ts';
import { type CryptoLine, writeCryptoLine } from './crypto-line.ts';
import { addressType } from './session-description.ts';

/** A media line to write: our audio, or a line of the offer refused with port 0. */
export type WrittenMedia =
  | { type: 'refused'; kind: string; protocol: string; formats: readonly string[] }
  | {
      type: 'audio';
      port: number;
      protocol: string;
      codecs: readonly { payloadType: number; codec: AudioCodec }[];
      /** Numbers of telephone-event, each with its clock. */
      dtmf: readonly DtmfType[];
      ptimeMs: number;
      /** Null: `a=maxptime` is not written. */
      maxPtimeMs: number | null;
      direction: Direction;
      rtcpMux: boolean;
      crypto: readonly CryptoLine[];
    };

export interface WrittenSession {
  address: string;
  sessionId: number;
  version: number;
  media: readonly WrittenMedia[];
}

function audioLines(media: Extract<WrittenMedia, { type: 'audio' }>): string[] {
  const formats = media.codecs.map((codec) => codec.payloadType);
  formats.push(...media.dtmf.map(({ payloadType }) => payloadType));
  return [
    `m=audio ${media.port} ${media.protocol} ${formats.join(' ')}`,
    ...media.codecs.flatMap(({ payloadType, codec }) => {
      const { encoding, clockRate, channels, parameters } = codec;
      return [
        `a=rtpmap:${payloadType} ${encoding}/${clockRate}${channels === 1 ? '' : `/${channels}`}`,
        ...(parameters === null ? [] : [`a=fmtp:${payloadType} ${parameters}`]),
      ];
    }),
    ...media.dtmf.flatMap(({ payloadType, clockRate }) => [
      `a=rtpmap:${payloadType} telephone-event/${clockRate}`,
      `a=fmtp:${payloadType} 0-15`,
    ]),
    `a=ptime:${media.ptimeMs}`,
    ...(media.maxPtimeMs === null ? [] : [`a=maxptime:${media.maxPtimeMs}`]),
    `a=${media.direction}`,
    ...(media.rtcpMux ? ['a=rtcp-mux'] : []),
    ...media.crypto.map((line) => `a=${writeCryptoLine(line)}`),
  ];
}

/** Serializes our session description, lines in RFC 8866 order with CRLF. */
export function writeSdp(session: WrittenSession): string {
  const type = addressType(session.address);
  const lines = [
    'v=0',
    `o=callwright ${session.sessionId} ${session.version} IN ${type} ${session.address}`,
    's=-',
    `c=IN ${type} ${session.address}`,
    't=0 0',
  ];
  for (const media of session.media) {
    if (media.type === 'audio') lines.push(...audioLines(media));
    else lines.push(`m=${media.kind} 0 ${media.protocol} ${media.formats.join(' ')}`);
  }
  return `${lines.join('\r\n')}\r\n`;
}
