import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { FastifyRequest } from 'fastify';
import type { Actor, AuditTrail } from '../../domain/audit/audit-trail.ts';
import { Readings } from '../../domain/audit/readings.ts';
import {
  openCallRecording,
  openRecording,
  type OpenedRecording,
  type RecordingFormat,
} from '../../domain/calls/recordings.ts';
import { errors } from '../../errors.ts';
import { auditEntry } from '../audit/audit-trail.ts';
import { CallParams } from '../calls/schemas.ts';
import { failures } from '../common/schemas.ts';
import { AttemptQuery, Peaks } from './schemas.ts';
import { sendFile } from './send-file.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type RecordingsRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'recordings' | 'link'>;

const FORMATS: Readonly<Record<string, { format: RecordingFormat; type: string }>> = {
  wav: { format: 'wav', type: 'audio/wav' },
  mp3: { format: 'mp3', type: 'audio/mpeg' },
  'peaks.json': { format: 'peaks', type: 'application/json' },
};

/** Audits a playback before its first byte is sent. */
async function auditReading(
  deps: { audit: AuditTrail; readings: Readings },
  request: FastifyRequest,
  opened: OpenedRecording,
  format: RecordingFormat,
  actor: Actor,
  start: number,
): Promise<void> {
  const { workspaceId, callId, attempt } = opened;
  const reader = JSON.stringify([workspaceId, callId, attempt, format, actor, request.ip]);
  if (!deps.readings.isNew(reader, start)) return;
  const objects = { call_id: callId, format, ...(attempt === null ? {} : { attempt: String(attempt) }) };
  await deps.audit.append(auditEntry(request, { workspaceId, actor, objects }));
}

const Bytes = { schema: Type.Unsafe<Readable>({ type: 'string' }) };
const File = { content: { 'audio/wav': Bytes, 'audio/mpeg': Bytes, 'application/json': Bytes } };

/**
 * GET /recordings/{token}.wav, .mp3 and .peaks.json: authorised by the signed token, not by a key; answers range
 * requests.
 */
export function recordingRoutes(app: Server, deps: RecordingsRouteDeps, audit: AuditTrail): void {
  const readings = new Readings(deps.clock);
  app.get<{ Params: { file: string }; Querystring: { attempt?: number } }>(
    '/recordings/:file',
    {
      schema: {
        operationId: 'getRecording',
        summary: 'A recording at its signed URL: .wav, .mp3, or its waveform as .peaks.json',
        description:
          'Stereo: caller left, agent right. Needs no key. Answers range requests. MP3 and waveform are computed on the first request.',
        tags: ['Calling'],
        params: {
          type: 'object',
          required: ['file'],
          properties: {
            file: { type: 'string', description: '{token}.wav, {token}.mp3 or {token}.peaks.json' },
          },
        },
        querystring: AttemptQuery,
        response: {
          200: { ...File, description: 'The file.' },
          206: { ...File, description: 'A part of it.' },
          ...failures(404, 410, 416, 422),
        },
      },
    },
    async (request, reply) => {
      const [, token = '', extension = ''] =
        /^([\w-]+)\.(wav|mp3|peaks\.json)$/.exec(request.params.file) ?? [];
      const variant = FORMATS[extension];
      if (variant === undefined) throw errors.recordingNotFound();
      const opened = await openRecording(deps, token, variant.format, request.query.attempt ?? null);
      const actor: Actor = { type: 'signed_link', name: '' };
      return sendFile(request, reply, variant.type, opened.file, (start) =>
        auditReading({ audit, readings }, request, opened, variant.format, actor, start),
      );
    },
  );
}

/** GET /calling/{call_id}/recording/peaks: the waveform, by key. */
export function recordingPeaksRoutes(app: Server, deps: RecordingsRouteDeps, audit: AuditTrail): void {
  const readings = new Readings(deps.clock);
  app.get(
    '/calling/:call_id/recording/peaks',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getRecordingPeaks',
        summary: 'The waveform of a recording: at most 2000 points',
        description:
          'In the JSON format of audiowaveform (version 2). The signed URL of the recording with .peaks.json serves the same without a key.',
        tags: ['Calling'],
        params: CallParams,
        querystring: AttemptQuery,
        response: {
          200: {
            description: 'The waveform.',
            content: { 'application/json': { schema: Type.Unsafe<Readable>(Peaks) } },
          },
          ...failures(404, 422),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller;
      const attempt = request.query.attempt ?? null;
      const opened = await openCallRecording(deps, workspaceId, request.params.call_id, 'peaks', attempt);
      const { actor } = request.caller;
      return sendFile(request, reply, 'application/json', opened.file, (start) =>
        auditReading({ audit, readings }, request, opened, 'peaks', actor, start),
      );
    },
  );
}
