import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuditTrail } from '../../domain/audit/audit-trail.ts';
import { Readings } from '../../domain/audit/readings.ts';
import type { Clock } from '../../shared/clock.ts';
import { auditEntry } from '../audit/audit-trail.ts';

/** Notes that a request reads the transcript of a call. */
export type NoteTranscriptRead = (request: FastifyRequest, callId: string) => void;

/**
 * Audits reads of transcripts: one entry per call, reader and minute. The response does not wait for it: entries are
 * inserted in batches behind the reads, and a stop of the server waits for the last ones.
 */
export function transcriptReads(app: FastifyInstance, audit: AuditTrail, clock: Clock): NoteTranscriptRead {
  const readings = new Readings(clock);
  app.addHook('onClose', () => audit.settled());
  return (request, callId) => {
    const { workspaceId, actor } = request.caller;
    const reader = JSON.stringify([workspaceId, callId, actor, request.ip, request.routeOptions.url]);
    if (!readings.isNew(reader, 0)) return;
    void audit.append(auditEntry(request, { objects: { call_id: callId } }));
  };
}
