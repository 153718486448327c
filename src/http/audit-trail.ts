import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, AuditEntry, AuditTrail } from '../domain/audit/audit-trail.ts';
import { auditObjects } from './audit-objects.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The entry was written with the change itself. */
    isAudited?: boolean;
  }
}

const CHANGES = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/** The entry of a request by the workspace's key or by one of its people. */
export function auditEntry(
  request: FastifyRequest,
  told: { status?: number; objects?: AuditEntry['objects']; actor?: Actor; workspaceId?: string },
): AuditEntry {
  const { url = '', schema } = request.routeOptions;
  const operationId = schema?.operationId;
  return {
    workspaceId: told.workspaceId ?? request.caller.workspaceId,
    actor: told.actor ?? request.caller.actor,
    action: operationId ?? `${request.method} ${url}`,
    method: request.method,
    route: url,
    status: told.status ?? 200,
    objects: told.objects ?? auditObjects(request, null),
    requestId: request.id,
    address: request.ip,
  };
}

/**
 * Enters every request of `app` that may change something, refused ones too, before its answer leaves. Wrong keys
 * belong to nobody, and what the rate limit turned away was not looked at: neither is entered.
 */
export function keepAuditTrail(app: FastifyInstance, audit: AuditTrail): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!CHANGES.has(request.method) || request.isAudited === true || reply.statusCode === 429)
      return payload;
    if ((request.caller as FastifyRequest['caller'] | undefined) === undefined) return payload;
    const objects = auditObjects(request, payload);
    await audit.append(auditEntry(request, { status: reply.statusCode, objects }));
    return payload;
  });
}
