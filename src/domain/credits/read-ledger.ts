import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { listLedger, type LedgerCursor, type LedgerEntry } from '../../store/tenants/ledger.ts';

export type { LedgerEntry };

const MAX_LIMIT = 200;

/** A page of the ledger, newest calls first; `next` is the cursor of the next page. Throws 400 and 422. */
export async function readLedger(
  deps: { db: Db },
  workspaceId: string,
  filter: { readonly callId: string | null; readonly before: string | null },
  limit: number,
): Promise<{ readonly entries: readonly LedgerEntry[]; readonly next: string | null }> {
  if (limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  const after = filter.before === null ? null : readCursor(filter.before);
  if (filter.callId !== null && !isUuid(filter.callId)) return { entries: [], next: null };
  const found = await listLedger(deps.db, workspaceId, filter.callId, after, limit + 1);
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { entries, next: hasMore ? `${last.callId}.${last.attempt}.${last.kind}` : null };
}

function readCursor(text: string): LedgerCursor {
  const [callId = '', attempt = '', kind = '', ...rest] = text.split('.');
  if (!isUuid(callId) || !/^\d{1,9}$/.test(attempt) || !/^[a-z]{1,20}$/.test(kind) || rest.length > 0) {
    throw errors.invalid('before', 'must be the next_before of the previous page');
  }
  return { callId, attempt: Number(attempt), kind };
}
