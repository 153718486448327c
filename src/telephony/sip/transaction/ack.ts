import { EMPTY_BODY, headerLines, type SipRequest, type SipResponse } from '../message.ts';

/** The ACK of a non-2xx final response: same branch, To from the response (RFC 3261 section 17.1.1.3). */
export function ackForFailure(invite: SipRequest, response: SipResponse): SipRequest {
  return {
    kind: 'request',
    method: 'ACK',
    uri: invite.uri,
    via: invite.via.slice(0, 1),
    from: invite.from,
    to: response.to,
    callId: invite.callId,
    cseq: { sequence: invite.cseq.sequence, method: 'ACK' },
    headers: [
      ...headerLines(invite, 'route').map((value) => ({ name: 'route', value })),
      { name: 'max-forwards', value: '70' },
    ],
    body: EMPTY_BODY,
  };
}

/** CANCEL of a pending INVITE: its branch, Request-URI, Route and CSeq number (RFC 3261 section 9.1). */
export function cancelOf(invite: SipRequest): SipRequest {
  return {
    kind: 'request',
    method: 'CANCEL',
    uri: invite.uri,
    via: invite.via.slice(0, 1),
    from: invite.from,
    to: invite.to,
    callId: invite.callId,
    cseq: { sequence: invite.cseq.sequence, method: 'CANCEL' },
    headers: [
      ...headerLines(invite, 'route').map((value) => ({ name: 'route', value })),
      { name: 'max-forwards', value: '70' },
    ],
    body: EMPTY_BODY,
  };
}
