import type { StoredResult } from '../json/call-record.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { ofKeptDays } from '../months/since.ts';
import { waitingDay } from '../zone.ts';

/** Filters ended calls. Days are dates `YYYY-MM-DD` of the creation in the zone of the workspace, both inclusive. */
interface ResultFilter {
  readonly agentId: string | null;
  readonly campaignId: string | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

const NIL = '00000000-0000-0000-0000-000000000000';
const KEY_WITHOUT_DAY = sql.raw('workspace_id, agent_id, campaign_id, result, source');
const KEY = sql`day, ${KEY_WITHOUT_DAY}`;

/** Changes of results, each on its day. */
const onDays = (workspaceId: string, from: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select ${waitingDay(workspaceId)} as day, ${KEY_WITHOUT_DAY}, calls
  from ${from} where workspace_id = ${workspaceId}) pending`;

/**
 * Folds at most `take` changes of results; the caller holds the workspace's lock of `foldEndings`. A result that no call
 * has any more loses its row, so that an erased answer is nowhere.
 */
export async function foldResults(tx: Tx, workspaceId: string, take: number): Promise<void> {
  await sql`
    with taken as (
      delete from result_changes where workspace_id = ${workspaceId} and id in (
        select id from result_changes where workspace_id = ${workspaceId} order by id limit ${take}
        for update skip locked)
      returning *)
    merge into result_days d
    using (select ${KEY}, sum(calls)::int as calls from ${onDays(workspaceId, sql`taken`)} group by ${KEY}) t
    on d.workspace_id = t.workspace_id and d.day = t.day and d.agent_id = t.agent_id
      and d.campaign_id = t.campaign_id and d.result = t.result and d.source = t.source
    when matched and d.calls + t.calls = 0 then delete
    when matched then update set calls = d.calls + t.calls
    when not matched and t.calls <> 0 then insert (${KEY}, calls)
      values (t.day, t.workspace_id, t.agent_id, t.campaign_id, t.result, t.source, t.calls)`.execute(tx);
}

/** The folded results and the changes that wait, in one snapshot. */
function counted(workspaceId: string, filter: ResultFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`workspace_id = ${workspaceId}`];
  if (filter.agentId !== null) conditions.push(sql<SqlBool>`agent_id = ${filter.agentId}`);
  if (filter.campaignId !== null) {
    conditions.push(
      sql<SqlBool>`campaign_id = ${filter.campaignId} and campaign_id <> ${sql.lit(NIL)}::uuid`,
    );
  }
  if (filter.firstDay !== null) conditions.push(sql<SqlBool>`day >= ${filter.firstDay}::date`);
  if (filter.lastDay !== null) conditions.push(sql<SqlBool>`day <= ${filter.lastDay}::date`);
  const where = sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
  return sql`(
    select day, result, source, calls from result_days where ${where}
    union all
    select day, result, source, calls from ${onDays(workspaceId, sql`result_changes`)} where ${where}) counted`;
}

/** SQL that counts the kept calls with one result. */
export const countOfResult = (
  workspaceId: string,
  filter: ResultFilter,
  result: string,
): RawBuilder<number> => sql<number>`
  select coalesce(sum(calls), 0)::bigint from ${counted(workspaceId, filter)}
  where result = ${result} and ${ofKeptDays}`;

export interface ResultCount {
  readonly result: string;
  readonly source: 'goal' | 'label' | 'ending';
  readonly calls: number;
}

/** The results with the most calls. */
export async function countResults(
  db: Db,
  workspaceId: string,
  filter: ResultFilter,
  most: number,
): Promise<ResultCount[]> {
  const { rows } = await sql<ResultCount>`
    select result, source, sum(calls)::bigint as calls from ${counted(workspaceId, filter)}
    group by result, source having sum(calls) > 0
    order by 3 desc, result, source limit ${sql.lit(most)}`.execute(db);
  return rows;
}

/** Gives a call another result. */
export async function changeResult(
  tx: Tx,
  workspaceId: string,
  callId: string,
  result: StoredResult,
): Promise<void> {
  await sql`update calls set result = ${result.text}, result_source = ${result.source}
    where workspace_id = ${workspaceId} and id = ${callId}`.execute(tx);
}
