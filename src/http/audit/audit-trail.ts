import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, AuditEntry, AuditTrail } from '../../domain/audit/audit-trail.ts';
import { ChangeEntry } from '../../domain/audit/change-entry.ts';
import { auditObjects } from './audit-objects.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The audit entry for the request's change; null for a method that changes nothing. */
    changeEntry: ChangeEntry | null;
  }
  interface FastifyContextConfig {
    /** A read that is audited because of what it reveals. */
    isAudited?: boolean;
  }
}

const CHANGES = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);
const isAudited = (request: FastifyRequest): boolean =>
  CHANGES.has(request.method) || request.routeOptions.config.isAudited === true;
/** The status of every successful change. */
const OK = 200;

/** The audit entry of a request; `over` overrides values derived from the request. */
export function auditEntry(
  request: FastifyRequest,
  over: { status?: number; objects?: AuditEntry['objects']; actor?: Actor; workspaceId?: string },
): AuditEntry {
  const { url = '', schema } = request.routeOptions;
  const operationId = schema?.operationId;
  return {
    workspaceId: over.workspaceId ?? request.caller.workspaceId,
    actor: over.actor ?? request.caller.actor,
    action: operationId ?? `${request.method} ${url}`,
    method: request.method,
    route: url,
    status: over.status ?? OK,
    objects: over.objects ?? auditObjects(request, null),
    requestId: request.id,
    address: request.ip,
  };
}

/**
 * Audits every request of `app` that may change something or reads audited data. The transaction of a change inserts
 * the entry; a request that changed nothing or was refused is entered before its response is sent. A request that
 * fails after a part of its change has both entries. Requests with a wrong key and rate-limited requests are not
 * audited.
 */
export function keepAuditTrail(app: FastifyInstance, audit: AuditTrail): void {
  app.decorateRequest('changeEntry', null);
  app.addHook('onRequest', async (request) => {
    if (!CHANGES.has(request.method)) return;
    request.changeEntry = new ChangeEntry(audit, (subject) =>
      auditEntry(request, { objects: auditObjects(request, subject) }),
    );
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const status = reply.statusCode;
    if (!isAudited(request) || status === 429) return payload;
    if (request.changeEntry?.isWritten === true && status === OK) return payload;
    if ((request.caller as FastifyRequest['caller'] | undefined) === undefined) return payload;
    await audit.append(auditEntry(request, { status, objects: auditObjects(request, payload) }));
    return payload;
  });
}
