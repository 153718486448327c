import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { endedCalls, type AnalyticsFilter } from './analytics.ts';

/** The mean opinion scores of calls in one direction. */
export interface QualityShare {
  /** `received` by the service, or `sent` by it. */
  readonly direction: 'received' | 'sent';
  /** The trunk of the calls' number; null: a number that was deleted, or a call of a browser. */
  readonly trunk: string | null;
  /** Over all trunks. */
  readonly isTotal: boolean;
  readonly calls: number;
  readonly p50: number;
  /** Five of a hundred calls are no better. */
  readonly p5: number;
}

/** The scores of ended calls by direction, over all trunks and by trunk. A call that was not measured counts nowhere. */
export async function qualityByTrunk(
  db: Db,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<QualityShare[]> {
  const { rows } = await sql<QualityShare>`
    select m.direction, n.provider as trunk, grouping(n.provider) = 1 as "isTotal", count(*)::bigint as calls,
           percentile_disc(0.5) within group (order by m.mos) as p50,
           percentile_disc(0.05) within group (order by m.mos) as p5
    from call_records r
    join calls c on c.workspace_id = r.workspace_id and c.id = r.call_id
    left join numbers n on n.workspace_id = c.workspace_id and n.id = c.number_id
    cross join lateral (values ('received', (r.media #>> '{mos,toUs,average}')::float8),
                               ('sent', (r.media #>> '{mos,toFarSide,average}')::float8)) m (direction, mos)
    where r.workspace_id = ${workspaceId} and m.mos is not null and ${endedCalls(workspaceId, filter)}
    group by grouping sets ((m.direction), (m.direction, n.provider))
    order by 2, 1`.execute(db);
  return rows;
}
