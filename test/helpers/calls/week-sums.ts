import { sql } from 'kysely';
import type { Db } from '../../../src/store/database.ts';

/** Rows that `attempt_weeks` or `reaction_weeks` has and the sums over `attempt_slots` and `reaction_slots` have not, or the reverse. */
export async function wrongWeeks(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    with agents as (
      select s.*, a.id as agent, week_slot(slot) as week from attempt_slots s
      cross join lateral (values (agent_id), ('00000000-0000-0000-0000-000000000000'::uuid)) a (id)),
    expected as (
      select workspace_id, agent, week, sum(attempts)::bigint, sum(answered)::bigint, sum(duration_ms)::bigint
      from agents group by 1, 2, 3),
    kept as (
      select workspace_id, agent_id, slot, attempts::bigint, answered::bigint, duration_ms from attempt_weeks),
    reactions as (
      select r.workspace_id, a.id as agent, week_slot(slot) as week, bucket, n
      from reaction_slots r cross join lateral unnest(counts) with ordinality c (n, bucket)
      cross join lateral (values (agent_id), ('00000000-0000-0000-0000-000000000000'::uuid)) a (id)),
    expected_reactions as (
      select workspace_id, agent, week, bucket, sum(n)::bigint as n from reactions group by 1, 2, 3, 4 having sum(n) > 0),
    kept_reactions as (
      select workspace_id, agent_id, slot, bucket, n::bigint
      from reaction_weeks cross join lateral unnest(counts) with ordinality c (n, bucket) where n > 0)
    select to_jsonb(d) as row from (
      (table expected except all table kept) union all (table kept except all table expected)) d
    union all
    select to_jsonb(d) from (
      (table expected_reactions except all table kept_reactions)
      union all (table kept_reactions except all table expected_reactions)) d`.execute(db);
  return rows;
}
