import { sql } from 'kysely';
import type { NodeFigures } from '../shared/node-figures.ts';
import { openDatabase, type Database, type Db } from './database.ts';
import { NEXT_DUE_AT } from './scheduler/claims.ts';

/** A process that may hold live calls, with its last heartbeat. */
export interface NodeBeat {
  readonly id: string;
  readonly name: string;
  readonly beatAt: Date;
}

/** Registers a process and fences every earlier one of the same name: one process at a time owns a name. */
export async function registerNode(
  db: Db,
  node: { readonly id: string; readonly name: string; readonly roles: string },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`update nodes set fenced_at = ${now}
      where name = ${node.name} and fenced_at is null`.execute(tx);
    await sql`insert into nodes (id, name, roles, beat_at, started_at)
      values (${node.id}, ${node.name}, ${node.roles}, ${now}, ${now})`.execute(tx);
  });
}

/** Writes a heartbeat. False: the node is fenced, others have settled its calls, and it must write nothing more. */
export async function beat(db: Db, nodeId: string, figures: NodeFigures, now: Date): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update nodes set beat_at = ${now}, figures = ${JSON.stringify(figures)}::jsonb
    where id = ${nodeId} and fenced_at is null`.execute(db);
  return numAffectedRows === 1n;
}

const isOrphaned = sql`c.status = 'ongoing' and c.node_id is not null and (n.id is null or n.fenced_at is not null)`;
const hasOrphans = sql`exists (select from calls c left join nodes n on n.id = c.node_id where ${isOrphaned})`;
const hasQuiet = (own: string | null, before: Date) =>
  sql`exists (select from calls where node_id = ${own}::uuid and status = 'ongoing' and updated_at < ${before})`;
const hasListeners = sql`exists (select from call_listeners where started_at is not null and ended_at is null)`;

/** What a process without calls learns with its heartbeat. */
export interface IdleLook {
  /** When the next call is due, epoch ms; Infinity: none waits. */
  readonly dueAt: number;
  /** There is another node, or a call or a listener that may belong to none. */
  readonly hasReaping: boolean;
}

/** Writes the heartbeat of a process without calls, and looks in the same statement for what would end its rest. Null: the node is fenced. */
export async function beatAndLook(
  db: Db,
  nodeId: string,
  figures: NodeFigures,
  at: { readonly now: Date; readonly quiet: Date },
): Promise<IdleLook | null> {
  const { rows } = await sql<{ isBeaten: boolean; hasReaping: boolean; dueAt: number | null }>`
    /* hot:beat_and_look */
    with beaten as (update nodes set beat_at = ${at.now}, figures = ${JSON.stringify(figures)}::jsonb
      where id = ${nodeId} and fenced_at is null returning id)
    select exists (select from beaten) as "isBeaten", ${NEXT_DUE_AT} as "dueAt",
      exists (select from nodes where id <> ${nodeId} and fenced_at is null) or ${hasOrphans}
        or ${hasQuiet(nodeId, at.quiet)} or ${hasListeners} as "hasReaping"`.execute(db);
  const [found] = rows;
  if (found?.isBeaten !== true) return null;
  return { dueAt: found.dueAt ?? Number.POSITIVE_INFINITY, hasReaping: found.hasReaping };
}

/** A heartbeat that takes longer has failed: a second and a third try fit into the lease. */
const BEAT_TIMEOUT_MS = 3_000;

/** The one connection of a node's heartbeats, opened by the first and, after a failure, by the next. */
export class Heartbeat {
  readonly #database: Database;

  constructor(url: string) {
    this.#database = openDatabase(url, {
      maxConnections: 1,
      applicationName: 'callwright heartbeat',
      connectTimeoutMs: BEAT_TIMEOUT_MS,
      statementTimeoutMs: BEAT_TIMEOUT_MS,
      queryTimeoutMs: BEAT_TIMEOUT_MS,
    });
  }

  beat(nodeId: string, figures: NodeFigures, now: Date): Promise<boolean> {
    return beat(this.#database.kysely, nodeId, figures, now);
  }

  beatAndLook(
    nodeId: string,
    figures: NodeFigures,
    at: { readonly now: Date; readonly quiet: Date },
  ): Promise<IdleLook | null> {
    return beatAndLook(this.#database.kysely, nodeId, figures, at);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

export async function markDraining(db: Db, nodeId: string): Promise<void> {
  await sql`update nodes set draining = true where id = ${nodeId}`.execute(db);
}

/** Removes a node that shut down without live calls. */
export async function leaveNode(db: Db, nodeId: string): Promise<void> {
  await sql`delete from nodes n where id = ${nodeId}
    and not exists (select from calls where node_id = n.id and status = 'ongoing')`.execute(db);
}

/** What the reaper has to do. */
export interface ReaperFindings {
  /** All nodes that are not fenced. */
  readonly nodes: readonly NodeBeat[];
  readonly hasOrphans: boolean;
  /** A live call of the own node has not changed for a while. */
  readonly hasQuiet: boolean;
  readonly hasListeners: boolean;
  /** A node was fenced so long ago that its row may go. */
  readonly hasForgettable: boolean;
}

/** Finds by one statement what the reaper has to do; `own` null: a process without calls. */
export async function reaperFindings(
  db: Db,
  own: string | null,
  before: { readonly quiet: Date; readonly fenced: Date },
): Promise<ReaperFindings> {
  const { rows } = await sql<Omit<ReaperFindings, 'nodes'> & { [K in keyof NodeBeat]: NodeBeat[K] | null }>`
    select f.*, n.id, n.name, n.beat_at as "beatAt"
    from (select ${hasOrphans} as "hasOrphans", ${hasQuiet(own, before.quiet)} as "hasQuiet",
        ${hasListeners} as "hasListeners",
        exists (select from nodes where fenced_at < ${before.fenced}) as "hasForgettable") f
    left join nodes n on n.fenced_at is null`.execute(db);
  const [found = { hasOrphans: false, hasQuiet: false, hasListeners: false, hasForgettable: false }] = rows;
  return { ...found, nodes: rows.filter((row): row is typeof row & NodeBeat => row.id !== null) };
}

/** A process that carries calls. */
export interface CallProcess {
  readonly name: string;
  /** The disk that holds its recordings; null: an object store does, or it is of an earlier version. */
  readonly disk: string | null;
}

/** The processes that carry calls, take new ones and have been heard of since `since`. */
export async function callProcesses(db: Db, since: Date): Promise<CallProcess[]> {
  const { rows } = await sql<CallProcess>`select name, figures ->> 'recordingsDisk' as disk from nodes
    where fenced_at is null and not draining and beat_at >= ${since} order by name`.execute(db);
  return rows;
}

/** A process that takes the streams of calls which carriers announce. */
export interface StreamProcess {
  /** Where carriers reach it alone; null: nowhere. */
  readonly mediaUrl: string | null;
  /** Where other processes reach its API. */
  readonly address: string;
}

/** Of the processes with calls and an API that were heard of since `since` and do not drain, the one with most free calls. */
export async function streamProcess(db: Db, since: Date): Promise<StreamProcess | null> {
  const { rows } = await sql<StreamProcess>`
    select figures ->> 'mediaUrl' as "mediaUrl", figures ->> 'address' as address from nodes
    where fenced_at is null and not draining and beat_at >= ${since}
      and figures ->> 'address' is not null and 'media' = any(string_to_array(roles, ','))
    order by (figures ->> 'freeCalls')::int desc nulls last, id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Where Asterisk reaches the AudioSocket port of such a process, that of the one with most free calls; null: none has one. */
export async function audioSocketProcess(db: Db, since: Date): Promise<string | null> {
  const { rows } = await sql<{ at: string }>`
    select figures ->> 'audioSocket' as at from nodes
    where fenced_at is null and not draining and beat_at >= ${since} and figures ->> 'audioSocket' is not null
      and 'media' = any(string_to_array(roles, ','))
    order by (figures ->> 'freeCalls')::int desc nulls last, id limit 1`.execute(db);
  return rows[0]?.at ?? null;
}

/** Where the API of a running process can be reached from another one; null: it has none, or has left. */
export async function nodeAddress(db: Db, nodeId: string): Promise<string | null> {
  const { rows } = await sql<{ address: string | null }>`
    select figures ->> 'address' as address from nodes where id = ${nodeId} and fenced_at is null`.execute(
    db,
  );
  return rows[0]?.address ?? null;
}

/** Fences a node unless it has written a heartbeat since `beatAt` was read. */
export async function fenceNode(db: Db, nodeId: string, beatAt: Date, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`update nodes set fenced_at = ${now}
    where id = ${nodeId} and fenced_at is null
      and date_trunc('milliseconds', beat_at) = ${beatAt}`.execute(db);
  return numAffectedRows === 1n;
}

export interface OrphanedCall {
  readonly workspaceId: string;
  readonly callId: string;
  readonly attempt: number;
  readonly nodeId: string;
  /** When the call was last known to be up; null: never. */
  readonly lastBeat: Date | null;
}

/** Live calls whose node is fenced or gone. */
export async function orphanedCalls(db: Db, limit: number): Promise<OrphanedCall[]> {
  const { rows } = await sql<OrphanedCall>`
    select c.workspace_id as "workspaceId", c.id as "callId", c.attempt, c.node_id as "nodeId",
           greatest(n.beat_at, c.dialed_at, c.answered_at) as "lastBeat"
    from calls c left join nodes n on n.id = c.node_id
    where ${isOrphaned} limit ${limit}`.execute(db);
  return rows;
}

/** Live calls of a running node whose rows have not changed since `before`, oldest first. */
export async function quietCalls(
  db: Db,
  nodeId: string,
  before: Date,
  limit: number,
): Promise<OrphanedCall[]> {
  const { rows } = await sql<OrphanedCall>`
    select workspace_id as "workspaceId", id as "callId", attempt, node_id as "nodeId", updated_at as "lastBeat"
    from calls where node_id = ${nodeId} and status = 'ongoing' and updated_at < ${before}
    order by updated_at limit ${limit}`.execute(db);
  return rows;
}

/** Deletes nodes fenced before `before` that have no live call. */
export async function forgetFenced(db: Db, before: Date): Promise<void> {
  await sql`delete from nodes n where fenced_at < ${before}
    and not exists (select from calls where node_id = n.id and status = 'ongoing')`.execute(db);
}
