import type { FastifyReply, FastifyRequest } from 'fastify';
import { openRecording, type RecordingFormat } from '../../domain/calls/recordings.ts';
import { errors } from '../../errors.ts';
import { readByteRange } from '../byte-range.ts';
import { sendError } from '../error-handler.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

const TYPES: Readonly<Record<RecordingFormat, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg' };

/** GET /recordings/{token}.wav and .mp3: signed addresses, no key; answers ranges. */
export function recordingRoutes(app: Server, deps: ServerDeps): void {
  app.get<{ Params: { file: string } }>(
    '/recordings/:file',
    {
      schema: {
        operationId: 'getRecording',
        summary: 'A recording, from its signed address; WAV, or MP3 with .mp3',
        description: 'Stereo: the caller left, the agent right. Needs no key. Answers range requests.',
        tags: ['Calling'],
        security: [],
        params: {
          type: 'object',
          required: ['file'],
          properties: { file: { type: 'string', description: '{token}.wav or {token}.mp3' } },
        },
      },
    },
    async (request, reply) => {
      const [, token = '', format] = /^([\w-]+)\.(wav|mp3)$/.exec(request.params.file) ?? [];
      if (format !== 'wav' && format !== 'mp3') throw errors.recordingNotFound();
      const file = await openRecording(
        { db: deps.db, secret: deps.link.secret, recordings: deps.recordings },
        token,
        format,
      );
      return sendFile(request, reply, TYPES[format], file);
    },
  );
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  file: Awaited<ReturnType<typeof openRecording>>,
): FastifyReply {
  const etag = `"${file.bytes.toString(16)}-${file.modifiedAt.getTime().toString(16)}"`;
  void reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    etag,
    'last-modified': file.modifiedAt.toUTCString(),
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const condition = request.headers['if-range'];
  const isSame = condition === undefined || condition === etag || condition === file.modifiedAt.toUTCString();
  const range = readByteRange(isSame ? request.headers.range : undefined, file.bytes);
  if (range.kind === 'unsatisfiable') {
    return sendError(reply.header('content-range', `bytes */${file.bytes}`), errors.rangeNotSatisfiable());
  }
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: file.bytes - 1 };
  if (range.kind === 'part') {
    void reply.code(206).header('content-range', `bytes ${start}-${end}/${file.bytes}`);
  }
  void reply.type(type).header('content-length', end - start + 1);
  return file.bytes === 0 ? reply.send('') : reply.send(file.stream(start, end));
}
