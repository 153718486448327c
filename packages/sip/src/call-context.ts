import type { Log, Scheduler } from './ports.ts';
import type { InboundEvents, OutboundLeg, OutboundRequest, SignallingEvents } from './call.ts';
import type { CallDialog } from './call-dialog.ts';
import type { Authenticator } from './digest-client.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndedDialog } from './ended-dialog.ts';
import type { HopCache } from './hop-cache.ts';
import type { InviteRules } from './invite.ts';
import type { MediaNames } from './media-names.ts';
import type { TransportChoice } from './resolver.ts';
import type { TcpFallback } from './tcp-fallback.ts';
import type { Timing } from './transaction/types.ts';
import type { Peer } from './transport.ts';

/** Shared by all calls of one user agent. */
export interface UserAgentContext {
  readonly endpoint: Endpoint;
  readonly scheduler: Scheduler;
  readonly timing: Timing;
  readonly hops: HopCache;
  readonly names: MediaNames;
  readonly log: Log;
  readonly tcp: TcpFallback;
  /** Dialogs by `dialogKey`, early and ended ones included. */
  readonly dialogs: Map<string, CallDialog | EndedDialog>;
  /** Dialogs whose BYE transaction has not ended. */
  readonly closing: Set<CallDialog>;
  /** Places a call as the user agent does. */
  place(trunk: CallTrunk, request: OutboundRequest, events: SignallingEvents): OutboundLeg;
  /** See `SourceGuard`. */
  takesInfo(callId: string): boolean;
}

/** The trunk of a call, as far as the call needs it. */
export interface CallTrunk {
  readonly id: string;
  /** For the log. */
  readonly name: string;
  /** `host` or `host:port` of the trunk's URI: the domain of the Request-URI. */
  readonly domain: string;
  /** The host alone: the domain of From, To and the registered address, which have no port (RFC 3261 table 1). */
  readonly host: string;
  readonly transport: TransportChoice;
  readonly authenticator: Authenticator | null;
  /** User part of our Contact: the trunk's account, so that the carrier can tell trunks on one address apart. */
  readonly contactUser: string;
  /** Absent: INVITEs as RFC 3261 has them. */
  readonly rules?: InviteRules;
  /** Further headers that `CallHeaders` of inbound calls has; absent: none. */
  readonly headerNames?: readonly string[];
  /** The peer may refer us to another target (REFER); absent: it may not. */
  readonly acceptsRefer?: boolean;
  /** Route values of its INVITEs, in order: an outbound proxy and the Service-Route of its registration. Absent: none. */
  readonly routes?: readonly string[];
  /** Cached targets in order of preference, or null. Starts a look-up in the background when they are stale. */
  known(): readonly Peer[] | null;
  /** True for addresses of the trunk: only they get digest credentials. */
  owns(address: string): boolean;
  /** Demotes a peer that refuses, so that the next requests try the others first. `retryAfterMs`: it asked for this pause. */
  demote(peer: Peer, retryAfterMs?: number | null): void;
  /** A peer is silent or unreachable: the next requests use the others until it is known to answer again. */
  suspect(peer: Peer): void;
  /** Targets after a look-up, unless the cached ones are fresh. */
  lookUp(): Promise<readonly Peer[]>;
}

/** Wraps callbacks so that an exception in one is logged and does not reach the stack. */
export function guarded(events: SignallingEvents, log: Log): SignallingEvents {
  return {
    ...guardedInbound(events, log),
    onRinging: safely(log, (info) => events.onRinging(info)),
    onSent: () => safely(log, () => events.onSent?.())(null),
  };
}

export const guardedInbound = (events: InboundEvents, log: Log): InboundEvents => ({
  onAcknowledged: safely(log, (info) => events.onAcknowledged?.(info)),
  onAnswered: safely(log, (info) => events.onAnswered(info)),
  onFailed: safely(log, (info) => events.onFailed(info)),
  onEnded: safely(log, (info) => events.onEnded(info)),
  onDtmf: (digit, at) => safely(log, () => events.onDtmf(digit, at))(null),
  onReoffer: (sdp) => guardedOffer(log, () => events.onReoffer(sdp)),
  ...(events.onOfferRequest === undefined
    ? {}
    : { onOfferRequest: () => guardedOffer(log, () => events.onOfferRequest?.() ?? null) }),
  onReofferAnswer: safely(log, (sdp) => events.onReofferAnswer?.(sdp)),
  ...(events.onRefer === undefined ? {} : { onRefer: events.onRefer.bind(events) }),
});

function guardedOffer(log: Log, negotiate: () => string | null): string | null {
  try {
    return negotiate();
  } catch (error) {
    log.error({ err: error }, 'Call event handler failed');
    return null;
  }
}

const safely =
  <T>(log: Log, run: (info: T) => void) =>
  (info: T): void => {
    try {
      run(info);
    } catch (error) {
      log.error({ err: error }, 'Call event handler failed');
    }
  };
