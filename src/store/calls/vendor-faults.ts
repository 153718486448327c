import type { CallFault } from '../../voice/conversation.ts';
import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** The vendor faults of a workspace's calls whose records changed after `since`: of the newest `most` calls that had any. */
export async function findVendorFaults(
  db: Db,
  workspaceId: string,
  since: Date,
  most: number,
): Promise<readonly CallFault[]> {
  const rows = await db
    .selectFrom('call_records')
    .select('vendor_faults')
    .where('workspace_id', '=', workspaceId)
    .where('updated_at', '>=', since)
    .where(sql<boolean>`vendor_faults <> '[]'::jsonb`)
    .orderBy('updated_at', 'desc')
    .limit(most)
    .execute();
  return rows.flatMap(({ vendor_faults: faults }) => faults ?? []);
}
