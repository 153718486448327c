import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { listAudit, type AuditFilter } from '../../store/audit.ts';
import type { Db } from '../../store/database.ts';

export type { AuditFilter };

const MAX_LIMIT = 200;

/** A page of the workspace's audit log, newest first; `next_before` names where the next one begins. */
export async function readAudit(deps: { db: Db }, workspaceId: string, filter: AuditFilter, limit: number) {
  if (limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  if (filter.beforeId !== null && !isUuid(filter.beforeId)) {
    throw errors.invalid('before', 'must be the id of an entry');
  }
  const rows = await listAudit(deps.db, workspaceId, filter, limit + 1);
  const page = rows.slice(0, limit);
  return {
    entries: page.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      actor: { type: row.actorType, name: row.actor },
      action: row.action,
      method: row.method,
      route: row.route,
      status: row.status,
      objects: row.objects,
      request_id: row.requestId,
      address: row.address,
    })),
    limit,
    next_before: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
