import { targetOfCaller } from './dialog.ts';
import { header, type Header, headerTokens, mediaType, hasSdp, type SipRequest, tagOf } from './message.ts';
import {
  ACCEPT,
  ACCEPT_INFO,
  ALLOW,
  KNOWN_METHODS,
  ALLOWED_METHODS,
  SUPPORTED_EXTENSIONS,
} from './headers.ts';
import { refusalOfPreconditions } from './preconditions.ts';
import { refusalOfTimer } from './session-timer.ts';
import { parseUri } from './uri.ts';

export interface Refusal {
  readonly status: number;
  readonly headers: readonly Header[];
}

const refuse = (status: number, ...headers: Header[]): Refusal => ({ status, headers });

/**
 * Checks a request before it is processed (RFC 3261 section 8.2): method, scheme, hops, extensions, content. Null
 * when it is acceptable. ACK is never refused; CANCEL only by its transaction.
 */
export function checkRequest(request: SipRequest, isOurHost: (host: string) => boolean): Refusal | null {
  const { method } = request;
  if (method === 'ACK' || method === 'CANCEL') return null;
  if (!KNOWN_METHODS.has(method)) return refuse(501, ALLOW);
  const uri = parseUri(request.uri);
  if (uri === null) return refuse(416);
  // The trunk of its dialog decides on a REFER.
  const isForDialog = method === 'REFER' && tagOf(request.to) !== null;
  if (!isForDialog && !(ALLOWED_METHODS as readonly string[]).includes(method)) return refuse(405, ALLOW);
  // We never forward, so Max-Forwards 0 matters only for a request to another host.
  if (header(request, 'max-forwards')?.match(/^0+$/) && uri.scheme !== 'tel' && !isOurHost(uri.host)) {
    return refuse(483);
  }
  const unsupported = headerTokens(request, 'require').filter(
    (tag) => !SUPPORTED_EXTENSIONS.has(tag.toLowerCase()),
  );
  if (unsupported.length > 0) return refuse(420, { name: 'unsupported', value: unsupported.join(', ') });
  return method === 'INVITE' || method === 'UPDATE' ? checkSession(request) : checkContent(request);
}

function checkSession(request: SipRequest): Refusal | null {
  // No BYE could reach such a caller.
  if (tagOf(request.to) === null && targetOfCaller(request) === null) return refuse(400);
  const encoding = header(request, 'content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return refuse(415, { name: 'accept-encoding', value: 'identity' });
  }
  const optional = /handling\s*=\s*optional/i.test(header(request, 'content-disposition') ?? '');
  if (request.body.length > 0 && !hasSdp(request) && !optional) return refuse(415, ACCEPT);
  return acceptsSdp(request) ? (refusalOfPreconditions(request) ?? refusalOfTimer(request)) : refuse(406);
}

/** False when an Accept header excludes SDP. */
function acceptsSdp(request: SipRequest): boolean {
  if (header(request, 'accept') === null) return true;
  const ranges = headerTokens(request, 'accept').map((item) => item.split(';')[0]?.trim().toLowerCase());
  return ranges.some((range) => range === 'application/sdp' || range === 'application/*' || range === '*/*');
}

const DTMF_TYPES = new Set(['application/dtmf-relay', 'application/dtmf']);

function checkContent(request: SipRequest): Refusal | null {
  if (request.method !== 'INFO' || request.body.length === 0 || tagOf(request.to) === null) return null;
  return DTMF_TYPES.has(mediaType(request) ?? '') ? null : refuse(415, ACCEPT_INFO);
}
