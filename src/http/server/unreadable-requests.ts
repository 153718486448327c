import type { Socket } from 'node:net';
import { type ApiError, errors } from '../../errors.ts';
import { newId } from '../../shared/ids.ts';
import { errorBody } from './error-handler.ts';
import type { KnownPaths } from './known-paths.ts';

/** The request line of a method that the HTTP parser does not know. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]{1,64}) (\/[\x21-\x7e]{0,8192}) HTTP\/1\.[01]\r\n/;
const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers a request that the HTTP parser refused, and closes its connection. */
export function answerUnreadable(
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: Socket,
  paths: KnownPaths,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(answerOf(refusalOf(error, paths)));
  socket.destroy(error);
}

function refusalOf(
  { code, rawPacket }: { readonly code?: string; readonly rawPacket?: unknown },
  paths: KnownPaths,
): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.requestTimeout();
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge();
  const line =
    code === 'HPE_INVALID_METHOD' && Buffer.isBuffer(rawPacket)
      ? REQUEST_LINE.exec(rawPacket.toString('latin1', 0, 8_400))
      : null;
  const [, method, url] = line ?? [];
  if (method !== undefined && url !== undefined) return paths.errorOf({ method, url });
  return errors.malformedRequest('it is not HTTP/1.1');
}

function answerOf(error: ApiError): string {
  const requestId = `req_${newId()}`;
  const body = JSON.stringify(errorBody(error, requestId));
  const { allow } = error.details;
  return [
    `HTTP/1.1 ${error.status} ${STATUS_TEXT[error.status] ?? 'Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'connection: close',
    ...(Array.isArray(allow) ? [`allow: ${allow.join(', ')}`] : []),
    '',
    body,
  ].join('\r\n');
}
