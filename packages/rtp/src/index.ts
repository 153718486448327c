export { type AudioCodec, CODECS, codecByName, codecOfEncoding, codecOfStaticType } from './codecs.ts';
export { createDtmfDetector, stepDtmf } from './dtmf-detector.ts';
export { writeDtmfTone } from './dtmf-tone.ts';
export { InboundStream } from './inbound-stream.ts';
export type { MediaLeg, MediaSink, MediaStats } from './media-leg.ts';
export { type Direction, type NegotiatedMedia, isUnspecified, receives, sends } from './media.ts';
export { MAX_RTP_BYTES, createRtpView, looksLikeRtcp, parseRtp, writeRtpHeader } from './packet.ts';
export { PortPool, type PortRange, PortsExhausted, closeSocket, splitPortRange } from './port-pool.ts';
export { jitterMs, takeReport } from './reception.ts';
export { createRtcpSession, receiveRtcp } from './rtcp-session.ts';
export { parseRtcp, writeRtcp } from './rtcp.ts';
export { RtpLeg } from './rtp-leg.ts';
export { createSourceMatch } from './source-match.ts';
export {
  createEventReceiver,
  createEventSender,
  nextSendStep,
  queueDigits,
  receiveEvent,
  tickEvents,
} from './telephone-event.ts';
export { type Lateness, Wheel, type WheelMember } from './wheel.ts';
