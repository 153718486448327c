import type { OutboundRequest, SignallingEvents } from '../../src/telephony/leg.ts';
import type { CallTrunk } from '../../src/telephony/sip/call-trunk.ts';
import { EMPTY_BODY, type Header, type SipRequest } from '../../src/telephony/sip/message.ts';
import { responseTo } from '../../src/telephony/sip/response.ts';
import { VirtualNetwork, peerAt, type VirtualPeer } from '../../src/telephony/sip/virtual-network.ts';

/** Our address. */
export const US = '192.0.2.1';
/** The far side’s. */
export const THEM = '192.0.2.9';
/** Says that a body is SDP. */
export const SDP_TYPE: Header = { name: 'content-type', value: 'application/sdp' };
/** The far side’s own. */
export const CONTACT: Header = { name: 'contact', value: `<sip:them@${THEM}:5060>` };

/** A trunk whose carrier is at one address. */
export function trunkTo(address: string, patch: Partial<CallTrunk> = {}): CallTrunk {
  return {
    id: 'trunk',
    domain: address,
    transport: 'udp',
    authenticator: null,
    contactUser: '',
    known: () => [peerAt(address)],
    lookUp: async () => [peerAt(address)],
    ...patch,
  };
}

/** Events of a call as short lines. */
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

/** A call to be placed. */
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

/** Our agent calling a peer that the test plays. */
export function dial(
  patch: {
    request?: Partial<OutboundRequest>;
    trunk?: Partial<CallTrunk>;
    events?: Partial<SignallingEvents>;
    net?: VirtualNetwork;
    mayRepeatInvite?: () => boolean;
  } = {},
) {
  const net = patch.net ?? new VirtualNetwork();
  const peer = net.peer(THEM);
  const trunk = trunkTo(THEM, patch.trunk);
  const { mayRepeatInvite = () => true } = patch;
  const agent = net.agent(US, () => ({ kind: 'trunk', trunk }), { mayRepeatInvite });
  const { log, events, reoffer } = recorder();
  const leg = agent.call(trunk, outbound(patch.request), { ...events, ...patch.events });
  net.scheduler.advance(10);
  const heard = (method: string): SipRequest[] =>
    peer.heard.filter((m) => m.kind === 'request' && m.method === method) as SipRequest[];
  const last = (method: string): SipRequest => {
    const found = heard(method).at(-1);
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
    peer.say(responseTo(request, status, { toTag: more.tag ?? 'them', headers, body }), US);
    net.scheduler.advance(10);
  };
  return { net, peer, agent, leg, log, reoffer, heard, last, answer };
}

/** A request of the far side inside the dialog that our INVITE made. */
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

/** Final answers the peer heard to a method. */
export const finalOf = (peer: VirtualPeer, method: string): number[] =>
  peer.heard.flatMap((m) =>
    m.kind === 'response' && m.cseq.method === method && m.status >= 200 ? [m.status] : [],
  );
