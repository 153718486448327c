import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { listAudit, type AuditFilter, type AuditRow } from '../../store/audit.ts';
import type { Db } from '../../store/database.ts';

export type { AuditFilter };

const MAX_LIMIT = 200;

export interface AuditPage {
  readonly entries: readonly AuditRow[];
  readonly limit: number;
  /** The cursor of the next page; null on the last one. */
  readonly nextBefore: string | null;
}

/** A page of the workspace's audit log, newest first. */
export async function readAudit(
  deps: { db: Db },
  workspaceId: string,
  filter: AuditFilter,
  limit: number,
): Promise<AuditPage> {
  if (limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  if (filter.beforeId !== null && !isUuid(filter.beforeId)) {
    throw errors.invalid('before', 'must be the id of an entry');
  }
  const rows = await listAudit(deps.db, workspaceId, filter, limit + 1);
  const entries = rows.slice(0, limit);
  return { entries, limit, nextBefore: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
