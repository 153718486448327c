import {
  type CallTrunk,
  EMPTY_BODY,
  type Header,
  type InboundLeg,
  type OutboundRequest,
  type Resolve,
  type SignallingEvents,
  type SipRequest,
  type SourceGuard,
  type UserAgent,
  responseTo,
  tagOf,
} from '@callwright/sip';
import { peerAt, VirtualNetwork, type VirtualPeer } from './virtual-network.ts';

/** Our address. */
export const US = '192.0.2.1';
/** The peer's address. */
export const THEM = '192.0.2.9';
/** Content-Type of an SDP body. */
export const SDP_TYPE: Header = { name: 'content-type', value: 'application/sdp' };
/** The peer's Contact. */
export const CONTACT: Header = { name: 'contact', value: `<sip:them@${THEM}:5060>` };

/** A trunk with one address. */
export function trunkTo(address: string, patch: Partial<CallTrunk> = {}): CallTrunk {
  return {
    id: 'trunk',
    name: 'trunk',
    domain: address,
    host: address,
    transport: 'udp',
    authenticator: null,
    contactUser: '',
    known: () => [peerAt(address)],
    lookUp: async () => [peerAt(address)],
    owns: (other) => other === address,
    demote: () => {},
    suspect: () => {},
    ...patch,
  };
}

/** Records the events of a call as lines of text. */
export function recorder(): {
  log: string[];
  events: SignallingEvents;
  reoffer: { answer: string | null; offers: string[] };
} {
  const log: string[] = [];
  const reoffer: { answer: string | null; offers: string[] } = { answer: null, offers: [] };
  return {
    log,
    reoffer,
    events: {
      onRinging: ({ sipCode, earlySdp }) =>
        log.push(`ringing ${sipCode}${earlySdp === null ? '' : ` ${earlySdp}`}`),
      onAnswered: ({ sdp }) => log.push(`answered ${sdp}`),
      onFailed: ({ failure, sipCode, neverSent }) => log.push(`failed ${failure} ${sipCode} ${neverSent}`),
      onEnded: ({ by, cause, sipCode }) => log.push(`ended ${by} ${cause} ${sipCode}`),
      onReoffer: (sdp) => {
        reoffer.offers.push(sdp);
        return reoffer.answer;
      },
      onDtmf: (digit) => log.push(`dtmf ${digit}`),
    },
  };
}

/** A call request. */
export const outbound = (patch: Partial<OutboundRequest> = {}): OutboundRequest => ({
  trunkId: 'trunk',
  from: '+15550001',
  to: '+15550002',
  displayName: null,
  sdpOffer: 'offer',
  ringTimeoutMs: 30_000,
  attemptId: 'attempt',
  ...patch,
});

/** Places a call from our user agent to a peer that the test controls. */
export function dial(
  patch: {
    request?: Partial<OutboundRequest>;
    trunk?: Partial<CallTrunk>;
    events?: Partial<SignallingEvents>;
    net?: VirtualNetwork;
    mayRepeatInvite?: () => boolean;
    guard?: Partial<SourceGuard>;
    resolve?: Resolve;
  } = {},
) {
  const net = patch.net ?? new VirtualNetwork();
  const peer = net.peer(THEM);
  const trunk = trunkTo(THEM, patch.trunk);
  const { mayRepeatInvite = () => true, guard = {}, resolve = async () => [] } = patch;
  const agent = net.agent(US, () => ({ kind: 'trunk', trunk }), { mayRepeatInvite, guard, resolve });
  const { log, events, reoffer } = recorder();
  const leg = agent.call(trunk, outbound(patch.request), { ...events, ...patch.events });
  net.scheduler.advance(10);
  const received = (method: string): SipRequest[] =>
    peer.received.filter((m) => m.kind === 'request' && m.method === method) as SipRequest[];
  const last = (method: string): SipRequest => {
    const found = received(method).at(-1);
    if (found === undefined) throw new Error(`no ${method}`);
    return found;
  };
  const answer = (
    request: SipRequest,
    status: number,
    more: { tag?: string; headers?: Header[]; sdp?: string } = {},
  ): void => {
    const headers = [CONTACT, ...(more.sdp === undefined ? [] : [SDP_TYPE]), ...(more.headers ?? [])];
    const body = more.sdp === undefined ? EMPTY_BODY : Buffer.from(more.sdp);
    peer.send(responseTo(request, status, { toTag: more.tag ?? 'them', headers, body }), US);
    net.scheduler.advance(10);
  };
  const { warnings } = net;
  return { net, peer, agent, leg, log, warnings, reoffer, received, last, answer };
}

/** An in-dialog request of the peer after our INVITE. */
export function inDialog(
  invite: SipRequest,
  method: string,
  sequence: number,
  content: { headers?: Header[]; body?: string; branch?: string } = {},
): SipRequest {
  return {
    kind: 'request',
    method,
    uri: `sip:us@${US}`,
    via: [
      {
        transport: 'UDP',
        host: THEM,
        port: 5060,
        params: new Map([['branch', `z9hG4bK${content.branch ?? `${method}${sequence}`}`]]),
      },
    ],
    from: { ...invite.to, params: new Map([['tag', 'them']]) },
    to: invite.from,
    callId: invite.callId,
    cseq: { sequence, method },
    headers: [CONTACT, ...(content.headers ?? [])],
    body: Buffer.from(content.body ?? ''),
  };
}

/** Final responses that the peer received to a method. */
export const finalOf = (peer: VirtualPeer, method: string): number[] =>
  peer.received.flatMap((m) =>
    m.kind === 'response' && m.cseq.method === method && m.status >= 200 ? [m.status] : [],
  );

/** An inbound call from a peer that the test controls; `handler` answers it. */
export function taken(
  handler: (leg: InboundLeg) => void,
  patch: {
    body?: string;
    type?: Header;
    to?: string;
    from?: string;
    contact?: string;
    headers?: readonly Header[];
    trunk?: Partial<CallTrunk>;
    events?: Partial<SignallingEvents>;
    maxTransactions?: number;
    resolve?: Resolve;
    net?: VirtualNetwork;
  } = {},
) {
  const net = patch.net ?? new VirtualNetwork();
  const peer = net.peer(THEM);
  const { maxTransactions, resolve = async () => [] } = patch;
  const agent: UserAgent = net.agent(
    US,
    () => ({ kind: 'trunk', trunk: trunkTo(THEM, { contactUser: 'account', ...patch.trunk }) }),
    maxTransactions === undefined ? { resolve } : { maxTransactions, resolve },
  );
  const { log, events, reoffer } = recorder();
  const legs: InboundLeg[] = [];
  agent.setHandler((leg) => {
    legs.push(leg);
    leg.listen({ ...events, ...patch.events });
    handler(leg);
  });
  const invite: SipRequest = {
    kind: 'request',
    method: 'INVITE',
    uri: patch.to ?? `sip:+15550100@${US}`,
    via: [{ transport: 'UDP', host: THEM, port: 5060, params: new Map([['branch', 'z9hG4bKcall']]) }],
    from: {
      displayName: 'Bob\u0007',
      uri: patch.from ?? `sip:+15550999@${THEM}`,
      params: new Map([['tag', 'bob']]),
    },
    to: { displayName: null, uri: `sip:+15550100@${US}`, params: new Map() },
    callId: 'inbound',
    cseq: { sequence: 7, method: 'INVITE' },
    headers: [
      patch.contact === undefined ? CONTACT : { name: 'contact', value: patch.contact },
      ...(patch.body === '' ? [] : [patch.type ?? SDP_TYPE]),
      ...(patch.headers ?? []),
    ],
    body: Buffer.from(patch.body ?? 'offer'),
  };
  peer.send(invite, US);
  net.scheduler.advance(10);
  const responses = (): string[] =>
    peer.received.flatMap((m) => (m.kind === 'response' ? [`${m.status} ${m.cseq.method}`] : []));
  const within = (
    method: string,
    more: { sequence?: number; body?: string; branch?: string; headers?: readonly Header[] } = {},
  ): void => {
    const tag = peer.received.map((m) => tagOf(m.to)).find((t) => t !== null) ?? '';
    peer.send(
      {
        ...invite,
        method,
        via: [
          {
            transport: 'UDP',
            host: THEM,
            port: 5060,
            params: new Map([['branch', `z9hG4bK${more.branch ?? method}`]]),
          },
        ],
        to: { ...invite.to, params: new Map([['tag', tag]]) },
        cseq: { sequence: more.sequence ?? 7, method },
        headers: [CONTACT, ...(more.body === undefined ? [] : [SDP_TYPE]), ...(more.headers ?? [])],
        body: Buffer.from(more.body ?? ''),
      },
      US,
    );
    net.scheduler.advance(10);
  };
  return { net, peer, agent, invite, legs, log, reoffer, responses, within };
}
