import { sql } from 'kysely';
import type { NodeFigures } from '../../shared/node-figures.ts';
import type { Db } from '../database.ts';

/** Upper bound of the counts, which bounds the cost of counting. */
const MAX_COUNTED = 10_000;
/** Nodes that were fenced long ago are deleted; this bounds what a restart loop leaves. */
const MAX_NODES = 100;

/** A process of the installation; `live`: live calls in it. */
export interface SystemNode {
  readonly name: string;
  readonly roles: string;
  readonly startedAt: Date;
  readonly beatAt: Date;
  readonly isDraining: boolean;
  readonly isFenced: boolean;
  readonly live: number;
  /** Of its last heartbeat; null: an earlier version, or just started. */
  readonly figures: NodeFigures | null;
}
/** Work that is due: how much, at most MAX_COUNTED, and since when. */
export interface DueWork {
  readonly count: number;
  readonly oldest: Date | null;
}
export interface SystemState {
  readonly databaseVersion: string;
  /** The name of the last migration that was applied. */
  readonly migration: string;
  readonly nodes: readonly SystemNode[];
  readonly calls: DueWork;
  readonly deliveries: DueWork;
  readonly jobs: DueWork;
}

export async function readSystemState(db: Db, now: Date): Promise<SystemState> {
  const nodes = await sql<SystemNode>`
    select name, roles, started_at as "startedAt", beat_at as "beatAt", draining as "isDraining",
           fenced_at is not null as "isFenced", figures,
           (select count(*)::int from calls where status = 'ongoing' and node_id = n.id) as live
    from nodes n order by fenced_at is not null, name, started_at desc
    limit ${sql.lit(MAX_NODES)}`.execute(db);
  const { rows } = await sql<Omit<SystemState, 'nodes'>>`
    select current_setting('server_version') as "databaseVersion",
      (select max(name) from migrations) as migration,
      (select json_build_object('count', count(*), 'oldest', min(oldest)) from
        (select min(d.next_attempt_at) over (partition by w.id) as oldest from workspaces w
         cross join lateral (select next_attempt_at from calls
           where workspace_id = w.id and campaign_id is null and status in ('registered', 'retry')
             and next_attempt_at <= ${now}
           order by next_attempt_at limit ${sql.lit(MAX_COUNTED)}) d
         where w.next_due_at < 'infinity' limit ${sql.lit(MAX_COUNTED)}) c) as calls,
      (select json_build_object('count', count(*), 'oldest', min(due_at)) from
        (select due_at from delivery_queue
         where due_at <= ${now} limit ${sql.lit(MAX_COUNTED)}) d) as deliveries,
      (select json_build_object('count', count(*), 'oldest', min(due_at)) from
        (select due_at from jobs
         where state = 'due' and due_at <= ${now}
         limit ${sql.lit(MAX_COUNTED)}) j) as jobs`.execute(db);
  const state = rows[0]!;
  const asWork = ({ count, oldest }: DueWork): DueWork => ({
    count,
    oldest: oldest === null ? null : new Date(oldest),
  });
  return {
    databaseVersion: state.databaseVersion,
    migration: state.migration,
    nodes: nodes.rows,
    calls: asWork(state.calls),
    deliveries: asWork(state.deliveries),
    jobs: asWork(state.jobs),
  };
}
