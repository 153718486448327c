import { branchOf, tagOf } from './message.ts';
import type { SipRequest, SipResponse } from './message.ts';
import type { Origin } from './transport.ts';
import { SIP_PORT } from './transport.ts';
import { formatVia } from './write.ts';

export const BRANCH_COOKIE = 'z9hG4bK';

/** Joined into a new string: a template string keeps slices of the datagram, and V8 would keep the datagram as long as the transaction lasts. */
const keyOf = (...parts: readonly (string | number)[]): string => parts.join('|');

/** Key of the client transaction of a request or response (RFC 3261 section 17.1.3). */
export const clientKey = (message: SipRequest | SipResponse): string =>
  keyOf(branchOf(message), message.cseq.method);

/**
 * Key of the server transaction of a request (17.2.3). ACK matches its INVITE. A branch without the magic cookie,
 * or with nothing after it, comes from an RFC 2543 peer and uses the matching rules of that RFC.
 */
export function serverKey(request: SipRequest, method: string = request.method): string {
  const kind = method === 'ACK' ? 'INVITE' : method;
  const branch = branchOf(request);
  const top = request.via[0];
  if (branch.startsWith(BRANCH_COOKIE) && branch.length > BRANCH_COOKIE.length) {
    return keyOf(branch, top?.host ?? '', top?.port ?? '', kind);
  }
  const via = top === undefined ? '' : formatVia(top);
  const { callId, cseq, uri } = request;
  return keyOf('2543', callId, tagOf(request.from) ?? '', cseq.sequence, uri, via, kind);
}

/** Requests with this key in common but different branches are one merged request (8.2.2.2). */
export const mergeKey = (request: SipRequest): string =>
  keyOf(request.callId, tagOf(request.from) ?? '', request.cseq.sequence, request.method);

/** Adds `received` and `rport` to the topmost Via (18.2.1, RFC 3581 section 4). */
export function noteSource(request: SipRequest, origin: Origin): SipRequest {
  const top = request.via[0];
  if (top === undefined) return request;
  const wantsPort = top.params.has('rport');
  if (top.host === origin.address && !wantsPort) return request;
  const params = new Map(top.params);
  params.set('received', origin.address);
  if (wantsPort) params.set('rport', String(origin.port));
  return { ...request, via: [{ ...top, params }, ...request.via.slice(1)] };
}

/**
 * Destination of responses (18.2.2, RFC 3581): the request's TCP connection; on UDP its source address, with the
 * source port if the Via has `rport` and the Via port otherwise.
 */
export function responseDestination(request: SipRequest, origin: Origin): Origin {
  const top = request.via[0];
  if (origin.transport === 'udp' && top?.params.has('rport')) return origin;
  if (origin.transport !== 'udp') return origin;
  return { ...origin, port: top?.port ?? SIP_PORT };
}
