import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** How many waiting contacts of a campaign have each prefix of their number; `digits` is its length. */
export async function countCalleePrefixes(
  db: Db,
  workspaceId: string,
  campaignId: string,
  digits: number,
): Promise<{ prefix: string; contacts: number }[]> {
  const { rows } = await sql<{ prefix: string; contacts: number }>`
    select substr(to_number, 2, ${digits}::int) as prefix, count(*)::int as contacts from calls
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and status in ('registered', 'retry')
    group by 1`.execute(db);
  return rows;
}
