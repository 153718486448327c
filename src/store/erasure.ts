import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from './database.ts';
import { dropRecordings } from './recordings.ts';
import { clearTalk } from './talk-journal.ts';

/** What of an event tells what was said, as it is left behind. */
const SAID = {
  transcript: [],
  tool_call_logs: [],
  platform_analysis: null,
  client_analysis: null,
  analysis_data: null,
};
/** What beside it tells of the person. */
const PERSONAL = { custom_args_values: {}, recording_url: null, callee_name: '' };

/** `+`, the first digit and stars: enough to count by world zone, nothing to tell a person by. */
const masked = (number: string): RawBuilder<string> =>
  sql`rpad(left(${sql.raw(number)}, 2), length(${sql.raw(number)}), '*')`;

/** A text of the other side's, which may name whom it could not reach. */
const withoutDigits = (text: string): RawBuilder<string> =>
  sql`regexp_replace(${sql.raw(text)}, '\\d{4,}', '****', 'g')`;

/** Takes what was said out of the copies that events and the log of their deliveries hold. */
async function redactEvents(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  options: { readonly wholly: boolean },
): Promise<void> {
  const left = JSON.stringify(options.wholly ? { ...SAID, ...PERSONAL } : SAID);
  const numbers = options.wholly
    ? sql`|| case when body ->> 'call_type' = 'inbound'
        then jsonb_build_object('from_number', ${masked("body ->> 'from_number'")})
        else jsonb_build_object('to_number', ${masked("body ->> 'to_number'")}) end
        || '{"erased": true}'::jsonb`
    : sql``;
  await sql`
    update events set body = body::jsonb
      || coalesce((select jsonb_object_agg(k.key, k.value) from jsonb_each(${left}::jsonb) k where body::jsonb ? k.key), '{}')
      ${numbers}
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])`.execute(tx);
  await sql`
    update deliveries set without_answers = true, attempts = coalesce((select jsonb_agg(a - 'body' order by n)
      from jsonb_array_elements(attempts) with ordinality as l (a, n)), '[]')
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])
      and (attempts <> '[]' or not without_answers)`.execute(tx);
}

/** Takes what was said on these calls out of their records and out of every copy. */
export async function clearTranscripts(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    update call_records set transcript = null, tool_log = null, platform_analysis = null, client_analysis = null,
      updated_at = ${at}
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])`.execute(tx);
  await clearTalk(tx, workspaceId, callIds);
  await redactEvents(tx, workspaceId, callIds, { wholly: false });
}

/**
 * Erases the personal data of ended calls the caller has locked: recordings, what was said, names and values, and the
 * copies of all of it. Their rows stay, with the person's number masked: they are counted and paid for.
 */
export async function eraseCallData(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  const ids = [...callIds];
  await dropRecordings(tx, workspaceId, ids, at);
  await clearTranscripts(tx, workspaceId, ids, at);
  await sql`
    insert into call_records (workspace_id, call_id, erased_at, updated_at)
    select ${workspaceId}, id, ${at}, ${at} from unnest(${ids}::uuid[]) as c (id)
    on conflict (workspace_id, call_id) do update set erased_at = excluded.erased_at`.execute(tx);
  await redactEvents(tx, workspaceId, ids, { wholly: true });
  // The address of a call's own receiver may carry what it was called with; it goes with the last delivery to it.
  await sql`
    update deliveries d set forget_address = true
    from calls c
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::uuid[])
      and d.workspace_id = c.workspace_id and d.call_id = c.id and d.url = c.callback ->> 'url'`.execute(tx);
  // The answer that a repeated request gets again says what it was called with; the key stays, so that nobody is
  // rung twice.
  await sql`
    update idempotency_keys set response = jsonb_set(response, '{data,custom_args_values}', '{}')
    where workspace_id = ${workspaceId} and response #>> '{data,call_id}' = any(${ids}::text[])`.execute(tx);
  await sql`
    update call_attempts set to_number = ${masked('to_number')}, reason = ${withoutDigits('reason')}
    where workspace_id = ${workspaceId} and call_id = any(${ids}::uuid[])`.execute(tx);
  await sql`
    update calls set callee_name = '', args = '{}', callback = null, updated_at = ${at},
      from_number = case when call_type = 'inbound' then ${masked('from_number')} else from_number end,
      to_number = case when call_type = 'inbound' then to_number else ${masked('to_number')} end
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`.execute(tx);
}

/** Whether each of these calls has ended and was not erased before; their rows are locked. */
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
  /** Every contact list has been looked at. */
  readonly listsDone: boolean;
  readonly afterCall: string | null;
  readonly walked: boolean;
  readonly waiting: readonly string[];
  readonly erasedCalls: number;
  readonly requestedAt: Date;
  readonly doneAt: Date | null;
}

const ERASURE = sql`workspace_id as "workspaceId", id, state, mobile_numbers as "mobileNumbers",
  after_list as "afterList", lists_done as "listsDone", after_call as "afterCall", walked, waiting, erased_calls as "erasedCalls", requested_at as "requestedAt",
  done_at as "doneAt"`;

export async function insertErasure(
  tx: Db,
  erasure: { workspaceId: string; id: string; mobileNumbers: readonly string[] },
  at: Date,
): Promise<void> {
  await sql`
    insert into erasures (workspace_id, id, mobile_numbers, state, due_at, requested_at)
    values (${erasure.workspaceId}, ${erasure.id}, ${[...erasure.mobileNumbers]}::text[], 'due', ${at}, ${at})`.execute(
    tx,
  );
}

export async function findErasure(db: Db, workspaceId: string, id: string): Promise<Erasure | null> {
  const { rows } = await sql<Erasure>`select ${ERASURE} from erasures
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The erasure that has waited longest, locked until commit; null when none is due. */
export async function lockDueErasure(tx: Tx, now: Date): Promise<Erasure | null> {
  const { rows } = await sql<Erasure>`select ${ERASURE} from erasures
    where state = 'due' and due_at <= ${now} order by due_at limit 1 for update skip locked`.execute(tx);
  return rows[0] ?? null;
}

/** Digits that every spelling of one number ends with. */
const TAIL_DIGITS = 6;

export interface CallsLookedAt {
  readonly ids: readonly string[];
  /** Calls that came in from what ends like one of the numbers, as the trunk sent it. */
  readonly alike: readonly { readonly id: string; readonly from: string; readonly to: string }[];
  readonly last: string | null;
}

/**
 * Looks at the next `take` calls of the workspace; those with one of the numbers, and the last one looked at. Calls
 * that were made afterwards are no matter of the erasure, contacts of lists handed in before it are.
 */
export async function walkCalls(tx: Tx, erasure: Erasure, take: number): Promise<CallsLookedAt> {
  const numbers = [...erasure.mobileNumbers];
  const tails = numbers.map((number) => number.slice(-TAIL_DIGITS));
  const { rows } = await sql<{ [K in keyof CallsLookedAt]: CallsLookedAt[K] | null }>`
    with page as (
      select id, call_type, from_number, to_number,
        case when call_type = 'inbound' then from_number else to_number end = any(${numbers}::text[]) as theirs,
        created_at <= ${erasure.requestedAt} or exists (
          select from campaign_uploads u where u.workspace_id = ${erasure.workspaceId} and u.id = lane_id
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

/** Writes how far an erasure has come. */
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
    /** Nothing is left to be found by the numbers: they are forgotten. */
    readonly found: boolean;
    readonly dueAt: Date;
    readonly doneAt: Date | null;
  },
): Promise<void> {
  await sql`
    update erasures set after_list = ${next.afterList}, lists_done = ${next.listsDone},
      after_call = ${next.afterCall}, walked = ${next.walked},
      waiting = ${[...next.waiting]}::uuid[], erased_calls = erased_calls + ${next.erased}, due_at = ${next.dueAt},
      done_at = ${next.doneAt}, state = ${next.doneAt === null ? 'due' : 'done'},
      mobile_numbers = case when ${next.found} then '{}' else mobile_numbers end
    where workspace_id = ${erasure.workspaceId} and id = ${erasure.id}`.execute(tx);
}
