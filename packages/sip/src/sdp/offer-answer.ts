import { CODECS, type Direction, type NegotiatedMedia, receives, sends } from '@callwright/rtp';
import { readAudioLine, type AudioLine } from './audio-line.ts';
import { mirrored, type SessionDescription } from './session-description.ts';
import { parseSdp } from './parse.ts';
import { writeSdp, type WrittenMedia } from './write.ts';

/** Our address and the numbers of our `o=` line. */
export interface OurSide {
  /** Address announced for our media. */
  address: string;
  port: number;
  sessionId: number;
  version: number;
}

const OFFERED_DTMF_TYPE = 101;

/** Our offer: PCMU and PCMA, telephone-event, 20 ms packets, rtcp-mux optional (RFC 3264). */
export function createOffer(ours: OurSide & { direction?: Direction }): string {
  return writeSdp({
    address: ours.address,
    sessionId: ours.sessionId,
    version: ours.version,
    media: [
      {
        type: 'audio',
        port: ours.port,
        protocol: 'RTP/AVP',
        codecs: CODECS.map((codec) => ({
          payloadType: codec.payloadType,
          encoding: codec.name,
          clockRate: codec.clockRate,
        })),
        dtmfPayloadType: OFFERED_DTMF_TYPE,
        ptimeMs: 20,
        direction: ours.direction ?? 'sendrecv',
        rtcpMux: true,
      },
    ],
  });
}

export type OfferOutcome =
  | { accepted: true; answer: string; media: NegotiatedMedia }
  | { accepted: false; refuse: 488; reason: string };

export type AnswerOutcome = { accepted: true; media: NegotiatedMedia } | { accepted: false; reason: string };

function negotiated(line: AudioLine, direction: Direction): NegotiatedMedia {
  const first = line.codecs[0] as AudioLine['codecs'][number];
  return {
    remoteAddress: line.address,
    remotePort: line.port,
    remoteRtcpPort: line.rtcpPort,
    rtcpMux: line.rtcpMux,
    codec: {
      name: first.codec.name,
      payloadType: first.payloadType,
      clockRate: first.codec.clockRate,
    },
    dtmfPayloadType: line.dtmfPayloadType,
    ptimeMs: line.ptimeMs,
    direction,
  };
}

function writeAnswer(
  offer: SessionDescription,
  taken: number,
  media: NegotiatedMedia,
  ours: OurSide,
): string {
  const lines = offer.media.map((line, index): WrittenMedia =>
    index === taken
      ? {
          type: 'audio',
          port: ours.port,
          protocol: line.protocol,
          codecs: [
            {
              payloadType: media.codec.payloadType,
              encoding: media.codec.name,
              clockRate: media.codec.clockRate,
            },
          ],
          dtmfPayloadType: media.dtmfPayloadType,
          ptimeMs: media.ptimeMs,
          direction: media.direction,
          rtcpMux: media.rtcpMux,
        }
      : { type: 'refused', kind: line.kind, protocol: line.protocol, formats: line.formats },
  );
  return writeSdp({ address: ours.address, sessionId: ours.sessionId, version: ours.version, media: lines });
}

/**
 * Answers an offer (RFC 3264 section 6): accepts the first supported audio line with its first supported codec and
 * refuses every other line with port 0. `previous` is our last SDP of the session: the version rises by one if the
 * answer differs from it (section 8).
 */
export function answerOffer(
  offer: string,
  ours: Omit<OurSide, 'version'> & { version?: number; previous?: string | null },
): OfferOutcome {
  const parsed = parseSdp(offer);
  if (!parsed.ok) return { accepted: false, refuse: 488, reason: `sdp ${parsed.reason}` };
  let reason = 'no audio offered';
  for (const [index, line] of parsed.sdp.media.entries()) {
    const audio = readAudioLine(parsed.sdp, line);
    if (typeof audio === 'string') {
      if (line.kind === 'audio') reason = audio;
      continue;
    }
    const media = negotiated(audio, mirrored(audio.direction));
    const previousVersion = ours.previous ? versionOf(ours.previous) : null;
    const version = previousVersion ?? ours.version ?? 1;
    const answer = writeAnswer(parsed.sdp, index, media, { ...ours, version });
    if (previousVersion === null || answer === ours.previous) return { accepted: true, answer, media };
    const changed = writeAnswer(parsed.sdp, index, media, { ...ours, version: version + 1 });
    return { accepted: true, answer: changed, media };
  }
  return { accepted: false, refuse: 488, reason };
}

/** The session version of our SDP, or null when it is unreadable. */
export function versionOf(sdp: string): number | null {
  const parsed = parseSdp(sdp);
  const version = parsed.ok ? Number(parsed.sdp.origin?.sessionVersion) : Number.NaN;
  return Number.isSafeInteger(version) ? version : null;
}

/**
 * Accepts the peer's answer to our offer. Fails when it refuses the audio line, has no offered codec, or has another
 * number of media lines (RFC 3264 section 6).
 */
export function acceptAnswer(answer: string, offer: string): AnswerOutcome {
  const theirs = parseSdp(answer);
  if (!theirs.ok) return { accepted: false, reason: `sdp ${theirs.reason}` };
  const ours = parseSdp(offer);
  if (!ours.ok) return { accepted: false, reason: 'our offer is invalid' };
  if (theirs.sdp.media.length !== ours.sdp.media.length) {
    return { accepted: false, reason: 'answer and offer differ in the number of media lines' };
  }
  for (const [index, line] of theirs.sdp.media.entries()) {
    const offered = readAudioLine(ours.sdp, ours.sdp.media[index] as SessionDescription['media'][number]);
    if (typeof offered === 'string') continue;
    const audio = readAudioLine(theirs.sdp, line);
    if (typeof audio === 'string') return { accepted: false, reason: audio };
    const codecs = audio.codecs.filter(({ codec }) =>
      offered.codecs.some((candidate) => candidate.codec === codec),
    );
    if (codecs.length === 0) return { accepted: false, reason: 'answer has no offered codec' };
    const rtcpMux = audio.rtcpMux && offered.rtcpMux;
    const direction = restricted(mirrored(audio.direction), offered.direction);
    const rtcpPort = audio.rtcpMux && !rtcpMux ? Math.min(audio.port + 1, 65535) : audio.rtcpPort;
    return { accepted: true, media: negotiated({ ...audio, codecs, rtcpMux, rtcpPort }, direction) };
  }
  return { accepted: false, reason: 'no audio offered' };
}

/** Limits our direction to the offered one, whatever the answer says. */
function restricted(direction: Direction, offered: Direction): Direction {
  const send = sends(direction) && sends(offered);
  const receive = receives(direction) && receives(offered);
  return send ? (receive ? 'sendrecv' : 'sendonly') : receive ? 'recvonly' : 'inactive';
}
