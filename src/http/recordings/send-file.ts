import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordingFile } from '../../domain/calls/recordings.ts';
import { errors } from '../../errors.ts';
import { readByteRange } from './byte-range.ts';
import { sendError } from '../server/error-handler.ts';

/**
 * Sends an immutable file, or the requested range of it (RFC 9110 section 14). Calls `onRead` with the first byte's
 * offset before anything is sent.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  file: RecordingFile,
  onRead: (start: number) => Promise<void>,
): Promise<FastifyReply> {
  const etag = `"${file.bytes.toString(16)}-${file.modifiedAt.getTime().toString(16)}"`;
  void reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    etag,
    'last-modified': file.modifiedAt.toUTCString(),
  });
  if (request.headers['if-none-match'] === etag) {
    await onRead(0);
    return reply.code(304).send();
  }
  const condition = request.headers['if-range'];
  const isSame = condition === undefined || condition === etag || condition === file.modifiedAt.toUTCString();
  const range = readByteRange(isSame ? request.headers.range : undefined, file.bytes);
  if (range.kind === 'unsatisfiable') {
    return sendError(reply.header('content-range', `bytes */${file.bytes}`), errors.rangeNotSatisfiable());
  }
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: file.bytes - 1 };
  await onRead(start);
  if (range.kind === 'part') {
    void reply.code(206).header('content-range', `bytes ${start}-${end}/${file.bytes}`);
  }
  void reply.type(type).header('content-length', end - start + 1);
  return file.bytes === 0 ? reply.send('') : reply.send(file.stream(start, end));
}
