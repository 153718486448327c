import { type Header, headerTokens, sdpOf, type SipRequest, tagOf } from './message.ts';
import { preconditionState, withPreconditions } from './sdp/preconditions.ts';

/** Of a response whose SDP has preconditions (RFC 3312 section 11). */
export const REQUIRE_PRECONDITION: Header = { name: 'require', value: 'precondition' };

const names = (request: SipRequest, header: 'require' | 'supported', tag: string): boolean =>
  headerTokens(request, header).some((token) => token.toLowerCase() === tag);

const knows = (request: SipRequest, tag: string): boolean =>
  names(request, 'require', tag) || names(request, 'supported', tag);

/** Whether the sender reads preconditions in our answer. Those of an INVITE that are not met need a reliable 183. */
const usesPreconditions = (request: SipRequest): boolean =>
  knows(request, 'precondition') &&
  (request.method !== 'INVITE' || names(request, 'require', 'precondition') || knows(request, '100rel'));

/** An INVITE whose caller must reserve its side first: we neither ring nor answer before its UPDATE says so. */
export function waitsForCaller(invite: SipRequest): boolean {
  const offer = usesPreconditions(invite) ? sdpOf(invite) : null;
  return offer !== null && preconditionState(offer) === 'unmet';
}

/** An offer of the caller after our 183: it has reserved its side. */
export const hasReserved = (offer: string | null): boolean =>
  offer !== null && preconditionState(offer) !== 'unmet';

/** The SDP of our response to a request: for a peer that reads preconditions, our answer says how they stand. */
export function answerOf(request: SipRequest, sdp: string): string {
  const offer = usesPreconditions(request) ? sdpOf(request) : null;
  return offer === null ? sdp : withPreconditions(offer, sdp);
}

/** Preconditions that we cannot meet, or whose caller cannot read our answer to them; null: acceptable. */
export function refusalOfPreconditions(
  request: SipRequest,
): { readonly status: number; readonly headers: readonly Header[] } | null {
  const offer = names(request, 'require', 'precondition') ? sdpOf(request) : null;
  const state = offer === null ? 'none' : preconditionState(offer);
  if (state === 'impossible') return { status: 580, headers: [] };
  const isFirst = request.method === 'INVITE' && tagOf(request.to) === null;
  if (state !== 'unmet' || !isFirst || knows(request, '100rel')) return null;
  return { status: 421, headers: [{ name: 'require', value: '100rel' }] };
}
