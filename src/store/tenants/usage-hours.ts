import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** What a workspace did in an hour: outbound attempts, and micro-credits charged. */
export interface HourUse {
  readonly starts: number;
  readonly charged: number;
}
export interface WeekOfUse {
  readonly workspaceId: string;
  readonly now: HourUse;
  /** The busiest hour of the week before, by each count. */
  readonly busiest: HourUse;
}

/** Stores the counts of workspaces that were active since `activeSince`, once an hour, and drops those before `keptSince`. */
export async function noteHour(
  db: Db,
  hour: Date,
  at: { readonly activeSince: Date; readonly keptSince: Date },
): Promise<void> {
  await sql`
    insert into usage_hours (workspace_id, hour, starts, charged)
    select id, ${hour}, starts_total, charged_total from workspaces
    where archived_at is null and (served_at > ${at.activeSince} or spent_day >= ${at.activeSince}::date)
    on conflict do nothing`.execute(db);
  await sql`delete from usage_hours where hour < ${at.keptSince}`.execute(db);
}

/**
 * Workspaces that did something in the hour that began at `hour`, with their week since `weekSince`. Between two counts may lie more
 * than an hour, which makes the busiest hour larger and never smaller.
 */
export async function weeksOfUse(db: Db, hour: Date, weekSince: Date): Promise<WeekOfUse[]> {
  const { rows } = await sql<WeekOfUse>`
    select w.id as "workspaceId",
      json_build_object('starts', w.starts_total - h.starts, 'charged', w.charged_total - h.charged) as now,
      json_build_object('starts', coalesce(b.starts, 0), 'charged', coalesce(b.charged, 0)) as busiest
    from usage_hours h join workspaces w on w.id = h.workspace_id
    left join lateral (
      select max(starts) as starts, max(charged) as charged from (
        select lead(starts) over hours - starts as starts, lead(charged) over hours - charged as charged
        from usage_hours u where u.workspace_id = w.id and u.hour >= ${weekSince} and u.hour <= ${hour}
        window hours as (order by u.hour)) d) b on true
    where h.hour = ${hour} and (w.starts_total > h.starts or w.charged_total > h.charged)
      and not w.settings ? 'outbound_paused'`.execute(db);
  return rows;
}
