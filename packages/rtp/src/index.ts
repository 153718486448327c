/** The media side of a call. */
// A leg over UDP, with everything below.
export { RtpLeg, type RtpLegOptions } from './rtp-leg.ts';
export type { MediaLeg, MediaSink, MediaStats } from './media-leg.ts';
export { type Direction, type NegotiatedMedia, isUnspecified, receives, sends } from './media.ts';
export {
  type PortPair,
  PortPool,
  type PortRange,
  PortsExhausted,
  closeSocket,
  splitPortRange,
} from './port-pool.ts';
export { type Lateness, type Schedule, Wheel, type WheelMember } from './wheel.ts';
export type { Clock } from './clock.ts';
export { createSourceMatch } from './source-match.ts';

// Packets to frames of 20 ms, and back, without sockets.
export { InboundStream, type InboundOut } from './inbound-stream.ts';
export { OutboundStream, type SendPacket } from './outbound-stream.ts';
export {
  type AudioCodec,
  CODECS,
  USUAL_CODECS,
  codecByName,
  codecOfEncoding,
  codecOfStaticType,
} from './codecs.ts';
export { Opus, type OpusPreferences } from './opus.ts';

// RTP and RTCP packets (RFC 3550).
export {
  MAX_RTP_BYTES,
  type RtpView,
  createRtpView,
  looksLikeRtcp,
  parseRtp,
  writeRtpHeader,
} from './packet.ts';
export { type CompoundReport, type ReportBlock, type RtcpPacket, parseRtcp, writeRtcp } from './rtcp.ts';
export { type RtcpSession, createRtcpSession, receiveRtcp } from './rtcp-session.ts';
export { type Reception, type ReceptionReport, jitterMs, takeReport } from './reception.ts';

// SRTP (RFC 3711, RFC 7714): keys of an offer and answer, and packets without a leg.
export { type SrtpKeys, type SrtpSuite, SRTP_OVERHEAD_BYTES, masterBytes } from './srtp/suites.ts';
export { SrtpReceiver, SrtpSender } from './srtp/srtp.ts';

// Keys: telephone events (RFC 4733) and tones in the audio (ITU-T Q.23).
export {
  type EventReceiver,
  type EventSender,
  type SendStep,
  createEventReceiver,
  createEventSender,
  nextSendStep,
  queueDigits,
  receiveEvent,
  tickEvents,
} from './telephone-event.ts';
export { type DtmfDetector, createDtmfDetector, stepDtmf } from './dtmf-detector.ts';
export { writeDtmfTone } from './dtmf-tone.ts';
