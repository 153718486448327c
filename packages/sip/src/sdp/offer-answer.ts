import {
  type AudioCodec,
  CODECS,
  codecByName,
  USUAL_CODECS,
  type Direction,
  type NegotiatedMedia,
  receives,
  sends,
} from '@callwright/rtp';
import { dtmfFor, type DtmfType, readAudioLine, type AudioLine } from './audio-line.ts';
import { type CryptoLine, newCryptoLine, newCryptoLines, type SrtpPolicy } from './crypto-line.ts';
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
  /** Absent: off. */
  srtp?: SrtpPolicy;
  /** Names of the codecs that we offer, in this order, and take; absent: PCMU and PCMA. */
  codecs?: readonly string[];
}

/** Packet time of codecs with one frame a packet. */
const FRAME_MS = 20;
/** Longest packet time that we ask of such codecs: a longer one, which we take, delays the far side's words. */
const MAX_FRAME_MS = 60;
const OFFERED_DTMF: DtmfType = { payloadType: 101, clockRate: 8000 };
/** Beside Opus: events have the clock of the audio (RFC 4733 section 2.1). */
const OFFERED_WIDE_DTMF: DtmfType = { payloadType: 110, clockRate: 48_000 };

/**
 * Our offer: the codecs, telephone-event, 20 ms packets, rtcp-mux optional (RFC 3264). With SRTP required it is
 * RTP/SAVP, with SRTP optional RTP/AVP with a=crypto, which a peer without SRTP ignores. `previous` is our last SDP of the
 * session, whose keys and lines stay; `current` the name of the codec in use, which comes first.
 */
export function createOffer(
  ours: OurSide & { direction?: Direction; previous?: string | null; current?: string | null },
): string {
  const { protocol, crypto } = offeredSecurity(ours.srtp ?? 'off', ours.previous ?? null);
  const codecs = currentFirst(offeredCodecs(ours.codecs), ours.current);
  const isWide = codecs.some(({ clockRate }) => clockRate === OFFERED_WIDE_DTMF.clockRate);
  const audio: WrittenMedia = {
    type: 'audio',
    port: ours.port,
    protocol,
    codecs: codecs.map((codec) => ({ payloadType: codec.payloadType, codec })),
    dtmf: isWide ? [OFFERED_DTMF, OFFERED_WIDE_DTMF] : [OFFERED_DTMF],
    ptimeMs: 20,
    maxPtimeMs: maxPtimeOf(codecs),
    direction: ours.direction ?? 'sendrecv',
    rtcpMux: true,
    crypto,
  };
  return writeSdp({
    address: ours.address,
    sessionId: ours.sessionId,
    version: ours.version,
    media: inOrderOf(ours.previous ?? null, audio),
  });
}

const maxPtimeOf = (codecs: readonly AudioCodec[]): number | null =>
  codecs.some(({ isFramed }) => isFramed) ? MAX_FRAME_MS : null;

/** Our audio among the lines that the session has had: none may go or move (RFC 3264 section 8). */
function inOrderOf(previous: string | null, audio: WrittenMedia): readonly WrittenMedia[] {
  const parsed = previous === null ? null : parseSdp(previous);
  const lines = parsed?.ok === true ? parsed.sdp.media : [];
  const place = lines.findIndex(({ kind, port }) => kind === 'audio' && port !== 0);
  if (place === -1) return [audio];
  return lines.map(({ kind, protocol, formats }, index): WrittenMedia =>
    index === place ? audio : { type: 'refused', kind, protocol, formats },
  );
}

const offeredCodecs = (names: readonly string[] = USUAL_CODECS): readonly AudioCodec[] =>
  names.flatMap((name) => CODECS.find((codec) => codec.name === name) ?? []);

const currentFirst = (codecs: readonly AudioCodec[], current: string | null = null): readonly AudioCodec[] =>
  codecs.toSorted((a, b) => Number(b.name === current) - Number(a.name === current));

/** The line with the codecs that we take, or why there is none. */
function withCodecs(line: AudioLine | string, names: readonly string[] = USUAL_CODECS): AudioLine | string {
  if (typeof line === 'string') return line;
  const codecs = line.codecs.filter(({ codec }) => names.includes(codec.name));
  return codecs.length === 0 ? 'no common codec' : { ...line, codecs };
}

function offeredSecurity(
  policy: SrtpPolicy,
  previous: string | null,
): { protocol: string; crypto: readonly CryptoLine[] } {
  if (policy === 'off') return { protocol: 'RTP/AVP', crypto: [] };
  const before = previous === null ? null : audioOf(previous);
  // A session without SRTP goes on without it.
  if (before !== null && before.crypto.length === 0 && policy === 'optional')
    return { protocol: 'RTP/AVP', crypto: [] };
  return {
    protocol: policy === 'required' || before?.isSecure === true ? 'RTP/SAVP' : 'RTP/AVP',
    crypto: before === null || before.crypto.length === 0 ? newCryptoLines() : before.crypto,
  };
}

/** The audio line of our SDP. */
function audioOf(sdp: string): AudioLine | null {
  const parsed = parseSdp(sdp);
  if (!parsed.ok) return null;
  for (const media of parsed.sdp.media) {
    const audio = readAudioLine(parsed.sdp, media);
    if (typeof audio !== 'string') return audio;
  }
  return null;
}

export type OfferOutcome =
  | { accepted: true; answer: string; media: NegotiatedMedia }
  | { accepted: false; refuse: 488; reason: string };

export type AnswerOutcome = { accepted: true; media: NegotiatedMedia } | { accepted: false; reason: string };

function negotiated(line: AudioLine, direction: Direction): NegotiatedMedia {
  const first = line.codecs[0] as AudioLine['codecs'][number];
  const dtmf = dtmfFor(line.dtmf, first.codec);
  return {
    remoteAddress: line.address,
    remotePort: line.port,
    remoteRtcpPort: line.rtcpPort,
    rtcpMux: line.rtcpMux,
    codec: {
      name: first.codec.name,
      payloadType: first.payloadType,
      clockRate: first.codec.clockRate,
      ...(first.opus === undefined ? {} : { opus: first.opus }),
    },
    dtmfPayloadType: dtmf?.payloadType ?? null,
    ...(dtmf === null || dtmf.clockRate === 8000 ? {} : { dtmfClockRate: dtmf.clockRate }),
    ptimeMs: first.codec.isFramed ? FRAME_MS : line.ptimeMs,
    direction,
  };
}

function writeAnswer(
  offer: SessionDescription,
  taken: number,
  media: NegotiatedMedia,
  ownLine: CryptoLine | null,
  ours: OurSide,
): string {
  const lines = offer.media.map((line, index): WrittenMedia =>
    index === taken
      ? {
          type: 'audio',
          port: ours.port,
          protocol: line.protocol,
          codecs: [{ payloadType: media.codec.payloadType, codec: codecByName(media.codec.name) }],
          dtmf:
            media.dtmfPayloadType === null
              ? []
              : [{ payloadType: media.dtmfPayloadType, clockRate: media.dtmfClockRate ?? 8000 }],
          ptimeMs: media.ptimeMs,
          maxPtimeMs: maxPtimeOf([codecByName(media.codec.name)]),
          direction: media.direction,
          rtcpMux: media.rtcpMux,
          crypto: ownLine === null ? [] : [ownLine],
        }
      : { type: 'refused', kind: line.kind, protocol: line.protocol, formats: line.formats },
  );
  return writeSdp({ address: ours.address, sessionId: ours.sessionId, version: ours.version, media: lines });
}

/** Why the policy refuses a line of the peer; null: it does not. */
function refusal(audio: AudioLine, policy: SrtpPolicy): string | null {
  if (policy === 'off') return audio.isSecure ? SRTP_OFF : null;
  if (audio.crypto.length > 0) return null;
  if (audio.isSecure) return NO_SUITE;
  return policy === 'required' ? SRTP_MISSING : null;
}

const SRTP_OFF = 'the peer requires SRTP, and srtp of the trunk is off';
const SRTP_MISSING = 'srtp of the trunk is required, and the peer offers none';
const NO_SUITE = 'no common crypto suite';

const withSrtp = (media: NegotiatedMedia, own: CryptoLine, theirs: CryptoLine): NegotiatedMedia => ({
  ...media,
  srtp: {
    suite: own.suite,
    send: own.master,
    receive: theirs.master,
    receivedMkiBytes: theirs.mkiBytes,
  },
});

/**
 * Answers an offer (RFC 3264 section 6): accepts the first supported audio line, one with SRTP before others, with its
 * first supported codec and refuses every other line with port 0. `limit`: what of the audio we send and take at most, such as
 * `sendonly` while the peer is on hold. `previous` is our last SDP of the session: its key stays,
 * and the version rises by one if the answer differs from it (section 8).
 */
export function answerOffer(
  offer: string,
  ours: Omit<OurSide, 'version'> & { version?: number; previous?: string | null; limit?: Direction },
): OfferOutcome {
  const parsed = parseSdp(offer);
  if (!parsed.ok) return { accepted: false, refuse: 488, reason: `sdp ${parsed.reason}` };
  const policy = ours.srtp ?? 'off';
  let reason = 'no audio offered';
  const usable: { audio: AudioLine; index: number }[] = [];
  for (const [index, line] of parsed.sdp.media.entries()) {
    const audio = withCodecs(readAudioLine(parsed.sdp, line), ours.codecs);
    const refused = typeof audio === 'string' ? audio : refusal(audio, policy);
    if (typeof audio !== 'string' && refused === null) usable.push({ audio, index });
    else if (line.kind === 'audio') reason = refused ?? reason;
  }
  const isEncrypted = ({ audio }: { audio: AudioLine }): boolean => audio.crypto.length > 0;
  const taken = (policy === 'off' ? undefined : usable.find(isEncrypted)) ?? usable[0];
  if (taken === undefined) return { accepted: false, refuse: 488, reason };
  const { audio, index } = taken;
  const theirLine = policy === 'off' ? undefined : audio.crypto[0];
  const ownLine = theirLine === undefined ? null : answeringLine(theirLine, ours.previous ?? null);
  const clear = negotiated(audio, restricted(mirrored(audio.direction), ours.limit ?? 'sendrecv'));
  const media = theirLine === undefined || ownLine === null ? clear : withSrtp(clear, ownLine, theirLine);
  const previousVersion = ours.previous ? versionOf(ours.previous) : null;
  const version = previousVersion ?? ours.version ?? 1;
  const answer = writeAnswer(parsed.sdp, index, media, ownLine, { ...ours, version });
  if (previousVersion === null || answer === ours.previous) return { accepted: true, answer, media };
  const changed = writeAnswer(parsed.sdp, index, media, ownLine, { ...ours, version: version + 1 });
  return { accepted: true, answer: changed, media };
}

/** Our line in an answer: the tag and suite of the offered one, with the key that the session has for the suite. */
function answeringLine({ tag, suite }: CryptoLine, previous: string | null): CryptoLine {
  const before =
    previous === null ? undefined : audioOf(previous)?.crypto.find((line) => line.suite === suite);
  return before === undefined ? newCryptoLine(tag, suite) : { ...before, tag };
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
    const media = renumbered(negotiated({ ...audio, codecs, rtcpMux, rtcpPort }, direction), offered);
    if (offered.crypto.length === 0)
      return audio.isSecure ? { accepted: false, reason: SRTP_OFF } : { accepted: true, media };
    if (!line.attributes.some(({ name }) => name === 'crypto') && !audio.isSecure)
      return offered.isSecure ? { accepted: false, reason: SRTP_MISSING } : { accepted: true, media };
    for (const theirs of audio.crypto) {
      const own = offered.crypto.find(({ tag, suite }) => tag === theirs.tag && suite === theirs.suite);
      if (own !== undefined) return { accepted: true, media: withSrtp(media, own, theirs) };
    }
    return { accepted: false, reason: NO_SUITE };
  }
  return { accepted: false, reason: 'no audio offered' };
}

/** Media of an answer that numbers codec or events otherwise than our offer: the peer sends our numbers (RFC 3264 section 5.1). */
function renumbered(media: NegotiatedMedia, offered: AudioLine): NegotiatedMedia {
  const ours = offered.codecs.find(({ codec }) => codec.name === media.codec.name);
  const dtmf = ours === undefined ? null : dtmfFor(offered.dtmf, ours.codec);
  const isOther = ours !== undefined && ours.payloadType !== media.codec.payloadType;
  const dtmfReceiveType = dtmf?.payloadType ?? null;
  return {
    ...media,
    ...(isOther ? { codec: { ...media.codec, receiveType: ours.payloadType } } : {}),
    ...(media.dtmfPayloadType === null || media.dtmfPayloadType === dtmfReceiveType
      ? {}
      : { dtmfReceiveType }),
  };
}

/** Limits our direction to `limit`, such as the one that we offered, whatever the answer says. */
function restricted(direction: Direction, limit: Direction): Direction {
  const send = sends(direction) && sends(limit);
  const receive = receives(direction) && receives(limit);
  return send ? (receive ? 'sendrecv' : 'sendonly') : receive ? 'recvonly' : 'inactive';
}
