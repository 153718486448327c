import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { mayTakeAt, shareOf, type PlacesToFill } from '../shares.ts';

/** Locks these calls in id order; returns for each whether it has ended. */
export async function lockForErasure(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
): Promise<{ id: string; ended: boolean }[]> {
  const { rows } = await sql<{ id: string; ended: boolean }>`
    select id, status in ('completed', 'failed', 'error', 'cancelled') as ended from calls
    where workspace_id = ${workspaceId} and id = any(${[...callIds]}::uuid[])
    order by id for update`.execute(tx);
  return rows;
}

export interface Erasure {
  readonly workspaceId: string;
  readonly id: string;
  readonly state: 'due' | 'done';
  readonly mobileNumbers: readonly string[];
  readonly afterList: string | null;
  /** Every contact list has been walked. */
  readonly listsDone: boolean;
  readonly afterCall: string | null;
  readonly walked: boolean;
  readonly waiting: readonly string[];
  readonly erasedCalls: number;
  readonly requestedAt: Date;
  readonly doneAt: Date | null;
  /** Steps that failed since the last one that did not. */
  readonly tries: number;
}

const ERASURE = sql`workspace_id as "workspaceId", id, state, mobile_numbers as "mobileNumbers",
  after_list as "afterList", lists_done as "listsDone", after_call as "afterCall", walked, waiting, erased_calls as "erasedCalls", requested_at as "requestedAt",
  done_at as "doneAt", tries`;

/** `calls`: erase these instead of looking for calls with the numbers. */
export async function insertErasure(
  tx: Db,
  erasure: { workspaceId: string; id: string; mobileNumbers: readonly string[]; calls?: readonly string[] },
  at: Date,
): Promise<void> {
  const { workspaceId, id, mobileNumbers, calls } = erasure;
  const isFound = calls !== undefined;
  await sql`
    insert into erasures (workspace_id, id, mobile_numbers, state, due_at, requested_at, lists_done, walked, waiting)
    values (${workspaceId}, ${id}, ${[...mobileNumbers]}::text[], 'due', ${at}, ${at}, ${isFound}, ${isFound},
      ${[...(calls ?? [])]}::uuid[])`.execute(tx);
}

export async function findErasure(db: Db, workspaceId: string, id: string): Promise<Erasure | null> {
  const { rows } = await sql<Erasure>`select ${ERASURE} from erasures
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Locks a due erasure until commit, of the workspace that holds fewest places and was served longest ago; null: none is due
 * of a workspace that may take a place.
 */
export async function lockDueErasure(tx: Tx, now: Date, places: PlacesToFill): Promise<Erasure | null> {
  const { rows } = await sql<Erasure>`select ${ERASURE} from erasures
    cross join lateral ${shareOf(sql`workspace_id`, places)} s
    where state = 'due' and due_at <= ${now} and ${mayTakeAt(sql`s.held`, sql`1`, places)}
    order by s.held, s.served, due_at limit 1 for update of erasures skip locked`.execute(tx);
  return rows[0] ?? null;
}

/** The number of trailing digits that all spellings of one number share. */
const TAIL_DIGITS = 6;

export interface WalkedCalls {
  readonly ids: readonly string[];
  /** Inbound calls whose caller, as the trunk spelled it, ends like one of the numbers. */
  readonly alike: readonly { readonly id: string; readonly from: string; readonly to: string }[];
  readonly last: string | null;
}

/**
 * Reads the next `take` calls of the workspace; returns those with one of the numbers, and the cursor `last`. An
 * erasure covers calls created before it was requested, and contacts of lists that were uploaded before.
 */
export async function walkCalls(
  tx: Db,
  erasure: Pick<Erasure, 'workspaceId' | 'mobileNumbers' | 'requestedAt' | 'afterCall'>,
  take: number,
): Promise<WalkedCalls> {
  const numbers = [...erasure.mobileNumbers];
  const tails = numbers.map((number) => number.slice(-TAIL_DIGITS));
  const { rows } = await sql<{ [K in keyof WalkedCalls]: WalkedCalls[K] | null }>`
    with page as (
      select id, call_type, from_number, to_number,
        case when call_type = 'inbound' then from_number else to_number end = any(${numbers}::text[]) as theirs,
        created_at <= ${erasure.requestedAt} or exists (
          select from campaign_uploads u where u.workspace_id = ${erasure.workspaceId} and u.id = campaign_id
            and u.created_at <= ${erasure.requestedAt}) as before
      from calls
      where workspace_id = ${erasure.workspaceId}
        and (${erasure.afterCall}::uuid is null or id > ${erasure.afterCall}::uuid)
      order by id limit ${take})
    select array_agg(id order by id) filter (where theirs and before) as ids,
      jsonb_agg(jsonb_build_object('id', id, 'from', from_number, 'to', to_number)) filter (where
        call_type = 'inbound' and not theirs and before
        and right(regexp_replace(from_number, '\\D', '', 'g'), ${TAIL_DIGITS}) = any(${tails}::text[])) as alike,
      (array_agg(id order by id desc))[1] as last
    from page`.execute(tx);
  const [row] = rows;
  return { ids: row?.ids ?? [], alike: row?.alike ?? [], last: row?.last ?? null };
}

/** Writes an erasure's progress. */
export async function saveErasure(
  tx: Tx,
  erasure: Erasure,
  next: {
    readonly afterList: string | null;
    readonly listsDone: boolean;
    readonly afterCall: string | null;
    readonly walked: boolean;
    readonly waiting: readonly string[];
    readonly erased: number;
    /** All calls have been found, so the numbers are deleted. */
    readonly found: boolean;
    readonly dueAt: Date;
    readonly doneAt: Date | null;
  },
): Promise<void> {
  await sql`
    update erasures set after_list = ${next.afterList}, lists_done = ${next.listsDone},
      after_call = ${next.afterCall}, walked = ${next.walked},
      waiting = ${[...next.waiting]}::uuid[], erased_calls = erased_calls + ${next.erased}, due_at = ${next.dueAt},
      done_at = ${next.doneAt}, state = ${next.doneAt === null ? 'due' : 'done'}, tries = 0,
      mobile_numbers = case when ${next.found} then '{}' else mobile_numbers end
    where workspace_id = ${erasure.workspaceId} and id = ${erasure.id}`.execute(tx);
}

/** A step failed: the erasure is tried again at `dueAt`, after the others that are due. */
export async function delayErasure(
  db: Db,
  { workspaceId, id }: Pick<Erasure, 'workspaceId' | 'id'>,
  dueAt: Date,
): Promise<void> {
  await sql`update erasures set tries = tries + 1, due_at = ${dueAt}
    where workspace_id = ${workspaceId} and id = ${id} and state = 'due'`.execute(db);
}

/** Makes the erasure wait for the deletion of these calls' recordings. */
export async function awaitFiles(
  tx: Tx,
  { workspaceId, id }: Pick<Erasure, 'workspaceId' | 'id'>,
  callIds: readonly string[],
): Promise<void> {
  await sql`
    update recording_files set erasures = array_append(erasures, ${id}::uuid)
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[]) and state = 'delete'
      and not erasures @> array[${id}::uuid]`.execute(tx);
}

/** How many recording files the erasure still waits for. */
export async function countAwaitedFiles(
  db: Db,
  { workspaceId, id }: Pick<Erasure, 'workspaceId' | 'id'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recording_files
    where workspace_id = ${workspaceId} and state = 'delete' and erasures @> array[${id}::uuid]`.execute(db);
  return rows[0]?.count ?? 0;
}
