import { sql } from 'kysely';
import { newId } from '../shared/ids.ts';
import type { Db } from './database.ts';
import { withIndexPlans } from './plans.ts';
import type { JsonObject } from './schema.ts';
import { mayTakeAt, mostFor, shareOf, type PlacesToFill } from './shares.ts';

export interface DueJob {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: string;
  readonly payload: JsonObject;
  /** This attempt, from 1. */
  readonly attempt: number;
}

/** One attempt at a job. */
type TakenJob = Pick<DueJob, 'workspaceId' | 'id' | 'attempt'>;

export interface NewJob {
  readonly workspaceId: string;
  readonly kind: string;
  readonly dedup: string;
  readonly payload: JsonObject;
  /** Absent: due now. */
  readonly dueAt?: Date;
}

/** Queues a job. Idempotent per workspace, kind and `dedup`. */
export const insertJob = (db: Db, job: NewJob, at: Date): Promise<void> => insertJobs(db, [job], at);

/** Queues many jobs, see `insertJob`. */
export async function insertJobs(db: Db, jobs: readonly NewJob[], at: Date): Promise<void> {
  if (jobs.length === 0) return;
  await db
    .insertInto('jobs')
    .values(
      jobs.map((job) => ({
        id: newId(),
        workspace_id: job.workspaceId,
        kind: job.kind,
        dedup: job.dedup,
        payload: JSON.stringify(job.payload),
        state: 'due' as const,
        due_at: job.dueAt ?? at,
        created_at: at,
      })),
    )
    .onConflict((conflict) => conflict.columns(['workspace_id', 'kind', 'dedup']).doNothing())
    .execute();
}

/**
 * Leases due jobs of one kind for one attempt each. The attempt counts now: if this process dies, the job is due again
 * at `leaseUntil` with one attempt fewer.
 *
 * The choice is fair between workspaces: a workspace gets its second place after every other one got its first, ties go
 * to the workspace served longest ago, and none gets more than its share. Workspaces are found by a loose index scan,
 * one lookup each, so the cost does not grow with the backlog of one of them. `lost` counts chosen jobs that another
 * process leased at the same time. `is true`, `|| ''` and `interval '0'` keep the planner from choosing an index for
 * those conditions; rows are found again by ctid, and a row that moved since is left to the next poll.
 */
export async function takeJobs(
  db: Db,
  input: {
    readonly kind: string;
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly places: PlacesToFill;
    readonly maxAttempts: number;
  },
): Promise<{ readonly taken: readonly DueJob[]; readonly lost: number }> {
  const { kind, now, leaseUntil, places, maxAttempts } = input;
  const take = sql<{ chosen: number } & { [K in keyof DueJob]: DueJob[K] | null }>`/* hot:take_jobs */
    with recursive tenants as (
      (select workspace_id from jobs where state = 'due' and kind = ${kind} order by workspace_id limit 1)
      union all
      select n.workspace_id from tenants t cross join lateral (
        select workspace_id from jobs where state = 'due' and kind = ${kind} and workspace_id > t.workspace_id
        order by workspace_id limit 1) n),
    due as (
      select p.place, s.held + p.nth - 1 as held, row_number() over (order by s.held + p.nth, s.served, p.due_at) as rank
      from tenants t
      cross join lateral ${shareOf(sql`t.workspace_id`, places)} s
      cross join lateral (
        select d.place, d.due_at, row_number() over (order by d.due_at) as nth from (
          select j.ctid as place, j.due_at from jobs j
          where j.state = 'due' and j.kind = ${kind} and j.workspace_id = t.workspace_id and j.due_at <= ${now}
            and (j.attempt < ${maxAttempts}::int) is true
          order by j.due_at limit ${mostFor(sql`s.held`, places)}) d) p),
    picked as materialized (select place from due where ${mayTakeAt(sql`held`, sql`rank`, places)}),
    locked as (
      select j.ctid as place from jobs j
      where j.ctid = any (array(select place from picked)) and j.state || '' = 'due' and j.due_at + interval '0' <= ${now}
      for update skip locked),
    taken as (
      update jobs j set attempt = j.attempt + 1, due_at = ${leaseUntil}
      where j.ctid = any (array(select place from locked))
      returning j.id, j.workspace_id, j.kind, j.payload, j.attempt)
    select c.chosen, t.id, t.workspace_id as "workspaceId", t.kind, t.payload, t.attempt
    from (select count(*)::int as chosen from picked) c left join taken t on true`;
  const { rows } = await withIndexPlans(db, 'now', (tx) => take.execute(tx));
  const taken = rows.filter((row): row is DueJob & { chosen: number } => row.id !== null);
  return { taken, lost: (rows[0]?.chosen ?? 0) - taken.length };
}

/** Whether a job of the kind is due, to take or to give up: one statement instead of the eight of both, for a poll that expects none. */
export async function hasDueJobs(db: Db, kind: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (select from jobs where state = 'due' and kind = ${kind} and due_at <= ${now}) as "isDue"`.execute(
    db,
  );
  return rows[0]?.isDue === true;
}

/** Writes the end of an attempt. No effect if the lease expired and another attempt has begun (fenced by `attempt`). */
export async function finishJob(
  db: Db,
  job: TakenJob,
  end: { readonly state: 'due' | 'done' | 'dead'; readonly dueAt: Date; readonly error: string | null },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state: end.state, due_at: end.dueAt, last_error: end.error })
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .where('attempt', '=', job.attempt)
    .where('state', '=', 'due')
    .execute();
}

/** Makes a job due now that no process has started, because its input is available. */
export async function hastenJob(
  db: Db,
  job: { readonly workspaceId: string; readonly kind: string; readonly dedup: string },
  now: Date,
): Promise<void> {
  await sql`
    update jobs set due_at = ${now}
    where workspace_id = ${job.workspaceId} and kind = ${job.kind} and dedup = ${job.dedup}
      and state = 'due' and attempt = 0 and due_at > ${now}`.execute(db);
}

/** Extends the lease of a running job. */
export async function extendJob(db: Db, job: TakenJob, leaseUntil: Date): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ due_at: leaseUntil })
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .where('attempt', '=', job.attempt)
    .where('state', '=', 'due')
    .execute();
}

/**
 * Leases at most `limit` jobs whose last attempt was interrupted by a process crash, so that the caller can give them
 * up. If it dies first, they are due again at `leaseUntil`.
 */
export async function jobsToGiveUp(
  db: Db,
  input: {
    readonly kind: string;
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    readonly maxAttempts: number;
  },
): Promise<DueJob[]> {
  const take = sql<DueJob>`/* hot:jobs_to_give_up */
    with spent as materialized (
      select ctid as place from jobs
      where state = 'due' and attempt > 0 and kind = ${input.kind} and due_at <= ${input.now}
        and (attempt >= ${input.maxAttempts}::int) is true
      order by due_at limit ${input.limit}::int for update skip locked)
    update jobs j set due_at = ${input.leaseUntil}, last_error = 'interrupted'
    where j.ctid = any (array(select place from spent))
    returning j.id, j.workspace_id as "workspaceId", j.kind, j.payload, j.attempt`;
  const { rows } = await withIndexPlans(db, 'now', (tx) => take.execute(tx));
  return rows;
}
