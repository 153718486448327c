import { EMPTY_BODY, headerLines, tagOf } from './message.ts';
import type { Header, SipRequest, SipResponse } from './message.ts';
import { reasonFor } from './status.ts';

/** A response to `request` (RFC 3261 section 8.2.6). `toTag` is added unless To has a tag already. */
export function responseTo(
  request: SipRequest,
  status: number,
  content: { toTag?: string; reason?: string; headers?: readonly Header[]; body?: Buffer } = {},
): SipResponse {
  const tagged = tagOf(request.to) !== null || content.toTag === undefined || status === 100;
  const makesDialog = request.method === 'INVITE' && status > 100 && status < 300;
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
    headers: [
      ...(makesDialog
        ? headerLines(request, 'record-route').map((value) => ({ name: 'record-route', value }))
        : []),
      ...(content.headers ?? []),
    ],
    body: content.body ?? EMPTY_BODY,
  };
}
