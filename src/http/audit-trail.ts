import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, AuditEntry, AuditTrail } from '../domain/audit/audit-trail.ts';
import { ChangeEntry, withChangeEntry } from '../domain/audit/change-entry.ts';
import { auditObjects } from './audit-objects.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The entry that goes with what the request changes; absent where it may change nothing. */
    changeEntry?: ChangeEntry;
  }
  interface FastifyContextConfig {
    /** A request that changes nothing and is entered all the same: what it reveals matters. */
    isAudited?: boolean;
  }
}

const CHANGES = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);
const isEntered = (request: FastifyRequest): boolean =>
  CHANGES.has(request.method) || request.routeOptions.config.isAudited === true;
/** What every change that is made answers. */
const MADE = 200;

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
    status: told.status ?? MADE,
    objects: told.objects ?? auditObjects(request, null),
    requestId: request.id,
    address: request.ip,
  };
}

/**
 * Enters every request of `app` that may change something or reads what is audited: with its change, in the
 * transaction of it, and what changed nothing or was refused before its answer leaves. A request that fails after part
 * of its change was made has both. Wrong keys belong to nobody, and what the rate limit turned away was not looked at:
 * neither is entered.
 */
export function keepAuditTrail(app: FastifyInstance, audit: AuditTrail): void {
  // After the body was read, so that what the handler does runs within.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!CHANGES.has(request.method)) return done();
    request.changeEntry = new ChangeEntry(audit, (told) =>
      auditEntry(request, { objects: auditObjects(request, told) }),
    );
    withChangeEntry(request.changeEntry, done);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const status = reply.statusCode;
    if (!isEntered(request) || status === 429) return payload;
    if (request.changeEntry?.isWritten === true && status === MADE) return payload;
    if ((request.caller as FastifyRequest['caller'] | undefined) === undefined) return payload;
    await audit.append(auditEntry(request, { status, objects: auditObjects(request, payload) }));
    return payload;
  });
}
