export type { CallTrunk } from './call-context.ts';
export type {
  CallFailure,
  FailureClass,
  InboundLeg,
  InviteGate,
  OutboundLeg,
  OutboundRequest,
  SignallingEvents,
  SipStep,
} from './call.ts';
export { type Authenticator, authorize, chooseChallenge, createAuthenticator } from './digest-client.ts';
export { parseDigest } from './digest-header.ts';
export { createDigestServer } from './digest-server.ts';
export { dtmfOfInfo } from './dtmf-info.ts';
export type { Endpoint } from './endpoint.ts';
export { Exchange } from './exchange.ts';
export { USER_AGENT, contact, contactUri } from './headers.ts';
export {
  EMPTY_BODY,
  type Header,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  header,
  headerLines,
  tagOf,
} from './message.ts';
export { LOST } from './outbound-failure.ts';
export { parseAddressList } from './parse-header.ts';
export { MAX_MESSAGE_BYTES, parseMessage } from './parse-message.ts';
export { type Resolve, type TransportChoice, literalPeer, resolveByName } from './resolver.ts';
export { responseTo } from './response.ts';
export { acceptAnswer, answerOffer, createOffer } from './sdp/offer-answer.ts';
export { parseSdp } from './sdp/parse.ts';
export { type Frame, createFraming } from './stream-framing.ts';
export { TcpTransport } from './tcp.ts';
export { DEFAULT_TIMING } from './transaction/types.ts';
export {
  type LocalPoint,
  type OnMessage,
  type Origin,
  type Peer,
  SIP_PORT,
  TooLateError,
  type TransportName,
  type Transports,
} from './transport.ts';
export { type ListenOptions, SocketTransports } from './transports.ts';
export { escapeUser, formatHostPort, parseUri, userOf } from './uri.ts';
export { type Judgement, type SourceGuard, UserAgent } from './user-agent.ts';
export { formatAddress, formatVia, writeMessage, writeRefusal } from './write.ts';
