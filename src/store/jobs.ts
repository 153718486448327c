import { sql } from 'kysely';
import { newId } from '../shared/ids.ts';
import type { Db } from './database.ts';
import type { JsonObject } from './schema.ts';

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
  /** Absent: at once. */
  readonly dueAt?: Date;
}

/** Queues a job. One of the same kind and `dedup` that exists already is left alone. */
export const insertJob = (db: Db, job: NewJob, at: Date): Promise<void> => insertJobs(db, [job], at);

/** The same for many. */
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
 * Takes due jobs of these kinds for one attempt each. The attempt counts from here on; should this process die, the
 * job is due again at `leaseUntil`.
 */
export async function takeJobs(
  db: Db,
  input: {
    readonly kinds: readonly string[];
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    readonly maxAttempts: number;
  },
): Promise<DueJob[]> {
  const { rows } = await sql<DueJob>`
    with taken as (
      select workspace_id, id from jobs
      where state = 'due' and due_at <= ${input.now} and kind = any(${[...input.kinds]}::text[])
        and attempt < ${input.maxAttempts}
      order by due_at limit ${input.limit} for update skip locked)
    update jobs j set attempt = j.attempt + 1, due_at = ${input.leaseUntil}
    from taken t where j.workspace_id = t.workspace_id and j.id = t.id
    returning j.id, j.workspace_id as "workspaceId", j.kind, j.payload, j.attempt`.execute(db);
  return rows;
}

/** Writes an attempt's end. Nothing happens when the lease ran out and another attempt has begun. */
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

/** What a job waits for is there: one that nobody has begun is due now. */
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

/** Keeps a job that takes long from being handed out again. */
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
 * Jobs whose last attempt was cut off by the death of its process, to be given up until `leaseUntil`: whoever dies
 * over that leaves them to the next.
 */
export async function jobsToGiveUp(
  db: Db,
  input: {
    readonly kinds: readonly string[];
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly maxAttempts: number;
  },
): Promise<DueJob[]> {
  const { rows } = await sql<DueJob>`
    update jobs set due_at = ${input.leaseUntil}, last_error = 'interrupted'
    where state = 'due' and due_at <= ${input.now} and attempt >= ${input.maxAttempts}
      and kind = any(${[...input.kinds]}::text[])
    returning id, workspace_id as "workspaceId", kind, payload, attempt`.execute(db);
  return rows;
}
