/** A SIP user agent (RFC 3261). */
// Calls.
export { type Judgement, type SourceGuard, UserAgent } from './user-agent.ts';
export type { CallTrunk } from './call-context.ts';
export type { ByeHeaders, CallHeaders } from './call-headers.ts';
export type { InviteRules } from './invite.ts';
export type {
  CallFailure,
  FailureClass,
  InboundEvents,
  InboundLeg,
  InviteGate,
  OutboundLeg,
  OutboundRequest,
  ReferOutcome,
  Reoffer,
  ReofferOutcome,
  ReferRequest,
  SignallingEvents,
  SipStep,
} from './call.ts';
export { LOST } from './outbound-failure.ts';
export { dtmfOfInfo } from './dtmf-info.ts';

// What the user agent runs on.
export type { Log, Scheduler } from './ports.ts';
export { DEFAULT_TIMING, type Timing } from './transaction/types.ts';
export { type NameService, systemNames } from './name-service.ts';
export { type Resolve, type TransportChoice, createResolve, literalPeer, resolveByName } from './resolver.ts';
export {
  type LocalPoint,
  type OnMessage,
  type Origin,
  type Peer,
  SIP_PORT,
  SIPS_PORT,
  TooLateError,
  type TransportName,
  type Transports,
} from './transport.ts';
export { type ListenOptions, SocketTransports } from './transports.ts';
export { TcpTransport } from './tcp.ts';
export { type TlsMaterial, TlsWire } from './tls-wire.ts';
export { type Frame, createFraming } from './stream-framing.ts';

// Requests outside a call, such as REGISTER and OPTIONS.
export type { Endpoint } from './endpoint.ts';
export { Exchange, type ExchangeOptions, type ExchangeUser } from './exchange.ts';

// Messages.
export { type BadMessage, MAX_MESSAGE_BYTES, type Parsed, parseMessage } from './parse-message.ts';
export { formatAddress, formatVia, writeMessage, writeRefusal } from './write.ts';
export {
  EMPTY_BODY,
  type Header,
  type NameAddr,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  header,
  headerLines,
  tagOf,
} from './message.ts';
export { USER_AGENT, contact, contactUri } from './headers.ts';
export { parseAddressList } from './parse-header.ts';
export { failureClass, responseTo } from './response.ts';
export { type SipUri, type Uri, escapeUser, formatHostPort, parseUri, userOf } from './uri.ts';

// Digest authentication (RFC 8760), both sides.
export {
  type Authenticator,
  type Challenge,
  type Credentials,
  authorize,
  chooseChallenge,
  createAuthenticator,
} from './digest-client.ts';
export { parseDigest } from './digest-header.ts';
export { type DigestServer, type Verdict, createDigestServer } from './digest-server.ts';

// SDP (RFC 8866), offer and answer (RFC 3264), keys of SRTP in them (RFC 4568).
export {
  type AnswerOutcome,
  type OfferOutcome,
  type OurSide,
  acceptAnswer,
  answerOffer,
  createOffer,
} from './sdp/offer-answer.ts';
export type { SrtpPolicy } from './sdp/crypto-line.ts';
export { type SdpResult, parseSdp } from './sdp/parse.ts';
export type { SdpAttribute, SdpMedia, SdpOrigin, SessionDescription } from './sdp/session-description.ts';
