import { listAudit, type AuditFilter, type AuditRow } from '../../store/audit.ts';
import type { Db } from '../../store/database.ts';
import { pageBefore } from '../page-before.ts';

export type { AuditFilter };

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
  const { rows, ...page } = await pageBefore({ limit, beforeId: filter.beforeId, noun: 'an entry' }, (take) =>
    listAudit(deps.db, workspaceId, filter, take),
  );
  return { entries: rows, ...page };
}
