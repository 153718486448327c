import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordingFile } from '../domain/calls/recordings.ts';
import { errors } from '../errors.ts';
import { readByteRange } from './byte-range.ts';
import { sendError } from './error-handler.ts';

/**
 * Answers a file that does not change, or the part of it that was asked for (RFC 9110, Range Requests). `reading` is
 * told where what is answered begins, before it leaves.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  file: RecordingFile,
  reading: (start: number) => Promise<void>,
): Promise<FastifyReply> {
  const etag = `"${file.bytes.toString(16)}-${file.modifiedAt.getTime().toString(16)}"`;
  void reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    etag,
    'last-modified': file.modifiedAt.toUTCString(),
  });
  if (request.headers['if-none-match'] === etag) {
    await reading(0);
    return reply.code(304).send();
  }
  const condition = request.headers['if-range'];
  const isSame = condition === undefined || condition === etag || condition === file.modifiedAt.toUTCString();
  const range = readByteRange(isSame ? request.headers.range : undefined, file.bytes);
  if (range.kind === 'unsatisfiable') {
    return sendError(reply.header('content-range', `bytes */${file.bytes}`), errors.rangeNotSatisfiable());
  }
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: file.bytes - 1 };
  await reading(start);
  if (range.kind === 'part') {
    void reply.code(206).header('content-range', `bytes ${start}-${end}/${file.bytes}`);
  }
  void reply.type(type).header('content-length', end - start + 1);
  return file.bytes === 0 ? reply.send('') : reply.send(file.stream(start, end));
}
