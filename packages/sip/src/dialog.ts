import {
  EMPTY_BODY,
  type Header,
  headerLines,
  type NameAddr,
  type SipRequest,
  type SipResponse,
  tagOf,
} from './message.ts';
import { parseAddress, parseAddressList } from './parse-header.ts';
import { splitOutside } from './grammar.ts';
import { parseUri } from './uri.ts';
import { formatAddress } from './write.ts';

/** One dialog (RFC 3261 section 12), seen from our side. */
export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  /** Empty for an RFC 2543 peer, which sends no tag. */
  readonly remoteTag: string;
  readonly local: NameAddr;
  readonly remote: NameAddr;
  readonly localSequence: number;
  /** Null before the first request of the peer. */
  readonly remoteSequence: number | null;
  /** Contact URI of the peer. */
  readonly remoteTarget: string;
  /** Route values in sending order. */
  readonly routeSet: readonly string[];
  readonly confirmed: boolean;
}

/** Joined into a new string: of a template string V8 would keep the datagram as long as the dialog is known. */
export const dialogKey = (callId: string, localTag: string, remoteTag: string): string =>
  [callId, localTag, remoteTag].join('\n');

export const keyOf = (dialog: Dialog): string => dialogKey(dialog.callId, dialog.localTag, dialog.remoteTag);

const contactUri = (message: SipRequest | SipResponse): string | null =>
  headerLines(message, 'contact')
    .map((line) => parseAddressList([line])?.[0]?.uri)
    .find((uri) => uri !== undefined && parseUri(uri) !== null) ?? null;

/** Where requests to a caller go: its Contact, else its From; null: neither is a URI. */
export function targetOfCaller(invite: SipRequest): string | null {
  return contactUri(invite) ?? (parseUri(invite.from.uri) === null ? null : invite.from.uri);
}

/** A value that does not parse stays in the route set unchanged: without it requests would bypass a proxy. */
const recordRoute = (message: SipRequest | SipResponse): string[] =>
  headerLines(message, 'record-route')
    .flatMap((line) => splitOutside(line, ',') ?? [line])
    .map((value) => {
      const address = parseAddress(value);
      return address === null ? value.trim() : formatAddress(address);
    });

/** The caller's dialog after a 1xx with a To tag or a 2xx (12.1.2); null for a 1xx without a To tag. */
export function dialogAsCaller(invite: SipRequest, response: SipResponse): Dialog | null {
  const remoteTag = tagOf(response.to);
  if (remoteTag === null && response.status < 200) return null;
  return {
    callId: invite.callId,
    localTag: tagOf(invite.from) ?? '',
    remoteTag: remoteTag ?? '',
    local: invite.from,
    remote: response.to,
    localSequence: invite.cseq.sequence,
    remoteSequence: null,
    remoteTarget: contactUri(response) ?? invite.uri,
    routeSet: recordRoute(response).toReversed(),
    confirmed: response.status >= 200,
  };
}

/** The callee's dialog after a response with our To tag (12.1.1). */
export function dialogAsCallee(invite: SipRequest, localTag: string): Dialog {
  return {
    callId: invite.callId,
    localTag,
    remoteTag: tagOf(invite.from) ?? '',
    local: { ...invite.to, params: new Map([...invite.to.params, ['tag', localTag]]) },
    remote: invite.from,
    localSequence: 0,
    remoteSequence: invite.cseq.sequence,
    remoteTarget: targetOfCaller(invite) ?? invite.from.uri,
    routeSet: recordRoute(invite),
    confirmed: false,
  };
}

/** A 2xx confirms an early dialog and replaces its route set and remote target (13.2.2.4). */
export const confirmAsCaller = (dialog: Dialog, response: SipResponse): Dialog => ({
  ...dialog,
  confirmed: true,
  remoteTarget: contactUri(response) ?? dialog.remoteTarget,
  routeSet: recordRoute(response).toReversed(),
});

export const confirmAsCallee = (dialog: Dialog): Dialog => ({ ...dialog, confirmed: true });

/** A re-INVITE or its 2xx refreshes the remote target (12.2.1.2, 12.2.2). */
export const refreshTarget = (dialog: Dialog, message: SipRequest | SipResponse): Dialog => ({
  ...dialog,
  remoteTarget: contactUri(message) ?? dialog.remoteTarget,
});

/** Records the CSeq of a request; null when it is lower than a previous one: 500 (12.2.2). */
export function receiveRequest(dialog: Dialog, request: SipRequest): Dialog | null {
  const { sequence } = request.cseq;
  if (dialog.remoteSequence !== null && sequence < dialog.remoteSequence) return null;
  return { ...dialog, remoteSequence: sequence };
}

/**
 * Builds an in-dialog request without Via (12.2.1.1). ACK takes the CSeq number of its INVITE, every other method
 * the next one. A first route without `lr` is a strict router and becomes the Request-URI.
 */
export function requestInDialog(
  dialog: Dialog,
  method: string,
  content: { headers?: readonly Header[]; body?: Buffer; sequence?: number } = {},
): { dialog: Dialog; request: SipRequest } {
  const sequence = content.sequence ?? dialog.localSequence + 1;
  const { uri, routes } = routing(dialog);
  const request: SipRequest = {
    kind: 'request',
    method,
    uri,
    via: [],
    from: dialog.local,
    to: dialog.remote,
    callId: dialog.callId,
    cseq: { sequence, method },
    headers: [
      ...routes.map((value) => ({ name: 'route', value })),
      { name: 'max-forwards', value: '70' },
      ...(content.headers ?? []),
    ],
    body: content.body ?? EMPTY_BODY,
  };
  return { dialog: { ...dialog, localSequence: Math.max(dialog.localSequence, sequence) }, request };
}

function routing(dialog: Dialog): { uri: string; routes: readonly string[] } {
  const first = parseAddressList(dialog.routeSet.slice(0, 1))?.[0]?.uri;
  if (first === undefined) return { uri: dialog.remoteTarget, routes: dialog.routeSet };
  const parsed = parseUri(first);
  if (parsed === null || parsed.scheme === 'tel' || parsed.params.has('lr')) {
    return { uri: dialog.remoteTarget, routes: dialog.routeSet };
  }
  return { uri: first, routes: [...dialog.routeSet.slice(1), `<${dialog.remoteTarget}>`] };
}

/** URI of the next hop: the first route, else the remote target. */
export const nextHop = (dialog: Dialog): string =>
  parseAddressList(dialog.routeSet.slice(0, 1))?.[0]?.uri ?? dialog.remoteTarget;
