import type { FailureClass } from './call.ts';
import { EMPTY_BODY, header, type Header, type SipRequest, type SipResponse, tagOf } from './message.ts';

/** A response to `request` (RFC 3261 section 8.2.6). Adds `toTag` unless To has a tag. */
export function responseTo(
  request: SipRequest,
  status: number,
  content: { toTag?: string; reason?: string; headers?: readonly Header[]; body?: Buffer } = {},
): SipResponse {
  const tagged = tagOf(request.to) !== null || content.toTag === undefined || status === 100;
  const makesDialog = request.method === 'INVITE' && status > 100 && status < 300;
  // Section 8.2.6.1: the sender of the request measures its round trip with Timestamp.
  const echo = makesDialog ? 'record-route' : status === 100 ? 'timestamp' : null;
  const echoed = echo === null ? [] : request.headers.filter(({ name }) => name === echo);
  const own = content.headers ?? [];
  return {
    kind: 'response',
    status,
    reason: content.reason ?? reasonFor(status),
    via: request.via,
    from: request.from,
    to: tagged
      ? request.to
      : { ...request.to, params: new Map([...request.to.params, ['tag', content.toTag ?? '']]) },
    callId: request.callId,
    cseq: request.cseq,
    headers: echoed.length === 0 ? own : [...echoed, ...own],
    body: content.body ?? EMPTY_BODY,
  };
}

/** Reason phrases of the status codes that this stack sends (RFC 3261 section 21 and the IANA registry). */
const REASONS: ReadonlyMap<number, string> = new Map([
  [100, 'Trying'],
  [180, 'Ringing'],
  [183, 'Session Progress'],
  [200, 'OK'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [408, 'Request Timeout'],
  [415, 'Unsupported Media Type'],
  [416, 'Unsupported URI Scheme'],
  [420, 'Bad Extension'],
  [421, 'Extension Required'],
  [422, 'Session Interval Too Small'],
  [480, 'Temporarily Unavailable'],
  [481, 'Call/Transaction Does Not Exist'],
  [482, 'Loop Detected'],
  [483, 'Too Many Hops'],
  [484, 'Address Incomplete'],
  [486, 'Busy Here'],
  [487, 'Request Terminated'],
  [488, 'Not Acceptable Here'],
  [491, 'Request Pending'],
  [500, 'Server Internal Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
  [505, 'Version Not Supported'],
  [513, 'Message Too Large'],
  [580, 'Precondition Failure'],
  [600, 'Busy Everywhere'],
  [603, 'Decline'],
]);

const CLASSES = ['', 'Progress', 'OK', 'Redirection', 'Client Error', 'Server Error', 'Global Failure'];

export const reasonFor = (status: number): string =>
  REASONS.get(status) ?? CLASSES[Math.floor(status / 100)] ?? 'Unknown';

/** A longer Retry-After counts as this long. */
const MAX_RETRY_AFTER_S = 86_400;

/** Retry-After of a response in ms (RFC 3261 section 20.33), at most a day; null without one, or when it is not a number. */
export function retryAfterMs(response: SipResponse): number | null {
  const seconds = header(response, 'retry-after')?.match(/^\d+(?=[\s;(]|$)/)?.[0];
  return seconds === undefined ? null : Math.min(Number(seconds), MAX_RETRY_AFTER_S) * 1000;
}

/** Failure class of a final response to our INVITE (RFC 3261 section 21). */
export function failureClass(status: number): FailureClass {
  switch (status) {
    case 486:
    case 600:
      return 'busy';
    case 408:
    case 480:
    case 487:
      return 'no_answer';
    case 603:
    case 607:
    case 608:
      return 'rejected';
    case 404:
    case 410:
    case 484:
    case 604:
      return 'invalid_number';
    // Includes 401, 403 and 407: a carrier that refuses the account or the caller number says nothing about the callee.
    default:
      return 'failed';
  }
}
