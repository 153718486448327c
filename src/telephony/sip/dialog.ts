import { EMPTY_BODY, headerLines, tagOf } from './message.ts';
import type { Header, NameAddr, SipRequest, SipResponse } from './message.ts';
import { parseAddressList } from './parse-address.ts';
import { parseUri } from './uri.ts';
import { formatAddress } from './write.ts';

/** One dialog (RFC 3261 section 12), seen from our side. */
export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  /** Empty for a peer of RFC 2543 that sends none. */
  readonly remoteTag: string;
  readonly local: NameAddr;
  readonly remote: NameAddr;
  readonly localSequence: number;
  /** Null until the first request of the far side. */
  readonly remoteSequence: number | null;
  /** Contact URI of the far side. */
  readonly remoteTarget: string;
  /** Route values in the order in which we send them. */
  readonly routeSet: readonly string[];
  readonly confirmed: boolean;
}

export const dialogKey = (callId: string, localTag: string, remoteTag: string): string =>
  `${callId}\n${localTag}\n${remoteTag}`;

export const keyOf = (dialog: Dialog): string => dialogKey(dialog.callId, dialog.localTag, dialog.remoteTag);

const contactUri = (message: SipRequest | SipResponse): string | null =>
  parseAddressList(headerLines(message, 'contact'))?.[0]?.uri ?? null;

const recordRoute = (message: SipRequest | SipResponse): string[] =>
  (parseAddressList(headerLines(message, 'record-route')) ?? []).map(formatAddress);

/** The dialog that a 1xx with a To tag or a 2xx makes at the caller (12.1.2); null without a To tag. */
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

/** The dialog that our tagged response makes at the callee (12.1.1). */
export function dialogAsCallee(invite: SipRequest, localTag: string): Dialog {
  return {
    callId: invite.callId,
    localTag,
    remoteTag: tagOf(invite.from) ?? '',
    local: { ...invite.to, params: new Map([...invite.to.params, ['tag', localTag]]) },
    remote: invite.from,
    localSequence: 0,
    remoteSequence: invite.cseq.sequence,
    remoteTarget: contactUri(invite) ?? invite.from.uri,
    routeSet: recordRoute(invite),
    confirmed: false,
  };
}

/** The 2xx confirms an early dialog: its route set and target replace those of the 1xx (13.2.2.4). */
export const confirmAsCaller = (dialog: Dialog, response: SipResponse): Dialog => ({
  ...dialog,
  confirmed: true,
  remoteTarget: contactUri(response) ?? dialog.remoteTarget,
  routeSet: recordRoute(response).toReversed(),
});

export const confirmAsCallee = (dialog: Dialog): Dialog => ({ ...dialog, confirmed: true });

/** A re-INVITE or its 2xx moves the far side's Contact (12.2.1.2, 12.2.2). */
export const refreshTarget = (dialog: Dialog, message: SipRequest | SipResponse): Dialog => ({
  ...dialog,
  remoteTarget: contactUri(message) ?? dialog.remoteTarget,
});

/** A request from the far side: null when its CSeq is lower than one seen before, to be refused with 500 (12.2.2). */
export function receiveRequest(dialog: Dialog, request: SipRequest): Dialog | null {
  const { sequence } = request.cseq;
  if (dialog.remoteSequence !== null && sequence < dialog.remoteSequence) return null;
  return { ...dialog, remoteSequence: sequence };
}

/**
 * A request inside the dialog, without Via (12.2.1.1). ACK takes the INVITE's number, every other method the
 * next one. A first route without `lr` is a strict router and becomes the Request-URI.
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
  if (first === undefined) return { uri: dialog.remoteTarget, routes: [] };
  const parsed = parseUri(first);
  if (parsed === null || parsed.scheme === 'tel' || parsed.params.has('lr')) {
    return { uri: dialog.remoteTarget, routes: dialog.routeSet };
  }
  return { uri: first, routes: [...dialog.routeSet.slice(1), `<${dialog.remoteTarget}>`] };
}

/** The URI whose host gets the dialog's requests: the first route, else the remote target. */
export const nextHop = (dialog: Dialog): string =>
  parseAddressList(dialog.routeSet.slice(0, 1))?.[0]?.uri ?? dialog.remoteTarget;
