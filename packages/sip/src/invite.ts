import type { CallTrunk } from './call-context.ts';
import type { OutboundRequest } from './call.ts';
import { hasControl, isToken } from './grammar.ts';
import { ACCEPT, allowOf, contact, SDP_TYPE, SUPPORTED, USER_AGENT } from './headers.ts';
import { type Header, type NameAddr, type SipRequest, textBody } from './message.ts';
import { referTarget } from './referral.ts';
import { sessionHeaders } from './session-timer.ts';
import type { LocalPoint, Peer } from './transport.ts';
import { escapeUser } from './uri.ts';
import { formatAddress } from './write.ts';

/** How a carrier wants the INVITEs of a trunk. */
export interface InviteRules {
  /** Domain of From; absent: the host of the trunk. */
  readonly fromDomain?: string;
  /** Route value of the outbound proxy, such as `<sip:proxy.example.com;lr>`; absent: none. */
  readonly route?: string;
  /** `asserted`: the caller's number is in P-Asserted-Identity (RFC 3325), and From names the account. Absent: `from`. */
  readonly callerId?: 'from' | 'asserted';
  /** The caller's number as the carrier writes it; absent: unchanged. */
  writeCaller?(number: string): string;
  /** The same for the called number, also that of a transfer. It gets SIP URIs, too. */
  writeCallee?(to: string): string;
  /** Written after our own headers. One with a control character or a name that is no token is left out. */
  readonly addHeaders?: readonly Header[];
  /** The value of an added header for a call with these variables; null: it is left out. Absent: unchanged. */
  writeHeader?(header: Header, variables: Readonly<Record<string, string>>): string | null;
  /** Names in lower case of our headers that are left out. */
  readonly removeHeaders?: readonly string[];
  /** Larger requests go over TCP, in bytes; absent: 1,300 (RFC 3261 section 18.1.1). */
  readonly udpLimit?: number;
}

/** What the INVITE of a call is made of, apart from its route. */
interface InviteParts {
  readonly trunk: Pick<CallTrunk, 'domain' | 'host' | 'contactUser' | 'rules' | 'routes' | 'acceptsRefer'>;
  readonly request: Pick<
    OutboundRequest,
    'from' | 'to' | 'displayName' | 'sdpOffer' | 'variables' | 'headers'
  >;
  readonly tag: string;
  readonly callId: string;
  readonly sequence: number;
  /** The target of a redirect; null: `to` of the request. To stays that of the request (RFC 3261 section 8.1.3.4). */
  readonly redirectedTo: string | null;
  /** Length of the session that we offer to refresh (RFC 4028). */
  readonly sessionSeconds: number;
}

/** The INVITE towards a peer, without Via and credentials. */
export function inviteOf(parts: InviteParts, local: LocalPoint, peer: Peer): SipRequest {
  const { trunk, request, tag, callId, sequence, redirectedTo, sessionSeconds } = parts;
  const { host, contactUser, rules = {} } = trunk;
  const written = (to: string): string => rules.writeCallee?.(to) ?? to;
  const target = written(request.to);
  const number = rules.writeCaller?.(request.from) ?? request.from;
  const isAsserted = rules.callerId === 'asserted' && contactUser !== '';
  const domain = rules.fromDomain ?? host;
  const named = (user: string): NameAddr => ({
    displayName: request.displayName,
    uri: `sip:${escapeUser(user)}@${domain}`,
    params: new Map(),
  });
  const own: Header[] = [
    ...(trunk.routes ?? []).map((value) => ({ name: 'route', value })),
    { name: 'max-forwards', value: '70' },
    contact(contactUser === '' ? request.from : contactUser, local, peer),
    ...(isAsserted ? [{ name: 'p-asserted-identity', value: formatAddress(named(number)) }] : []),
    allowOf(trunk),
    SUPPORTED,
    // A timer needs `Supported: timer`.
    ...(rules.removeHeaders?.includes('supported') === true ? [] : sessionHeaders(sessionSeconds)),
    ACCEPT,
    USER_AGENT,
    SDP_TYPE,
  ];
  return {
    kind: 'request',
    method: 'INVITE',
    uri: referTarget(redirectedTo === null ? target : written(redirectedTo), trunk.domain),
    via: [],
    from: { ...named(isAsserted ? contactUser : number), params: new Map([['tag', tag]]) },
    to: { displayName: null, uri: referTarget(target, host), params: new Map() },
    callId,
    cseq: { sequence, method: 'INVITE' },
    headers: [
      ...own.filter(({ name }) => !rules.removeHeaders?.includes(name)),
      ...addedHeaders(rules, request.variables),
      ...(request.headers ?? []),
    ],
    body: textBody(request.sdpOffer),
  };
}

/** The headers that the rules of a trunk add for a call with these variables. */
export function addedHeaders(rules: InviteRules, variables: Readonly<Record<string, string>> = {}): Header[] {
  return (rules.addHeaders ?? []).flatMap((added) => {
    const value = rules.writeHeader === undefined ? added.value : rules.writeHeader(added, variables);
    if (value === null || !isToken(added.name) || hasControl(value)) return [];
    return [{ name: added.name.toLowerCase(), value }];
  });
}
