import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../database.ts';
import { REGISTER, type PersonalTable, type Table } from './register/register.ts';

/** A row of an export, by the names of its columns. */
export type PersonRow = Readonly<Record<string, unknown>>;

/** How an export finds rows. */
export type FoundBy = 'call' | 'chat' | 'number';

/** Tables whose rows an export finds by the register alone; those of calls and chats that have both come with either. */
export const exportedTables = (by: FoundBy): Table[] =>
  entries()
    .filter(([, entry]) => entry.exporting === 'rows' && entry[by] !== undefined)
    .filter(([, entry]) => by !== 'number' || (entry.call === undefined && entry.chat === undefined))
    .map(([table]) => table);

/** Tables whose rows an export finds with code of its own. */
export const searchedTables = (): Table[] =>
  entries()
    .filter(([, { exporting }]) => typeof exporting === 'object' && 'by' in exporting)
    .map(([table]) => table);

const entries = (): [Table, PersonalTable][] => Object.entries(REGISTER) as [Table, PersonalTable][];

/** The columns of a row of an export: those of the register that it does not leave out, and facts. */
export const exportedColumns = ({ columns, facts = [] }: PersonalTable): string[] => [
  ...facts,
  ...Object.entries(columns)
    .filter(([, { leftOut }]) => leftOut === undefined)
    .map(([column]) => column),
];

/** A page of a table's rows of one call or chat, or of these numbers. */
export async function personRows(
  db: Db,
  table: Table,
  by: FoundBy,
  workspaceId: string,
  values: readonly string[],
  page: { readonly offset: number; readonly take: number },
): Promise<PersonRow[]> {
  const entry = REGISTER[table];
  const key = entry?.[by];
  if (entry === undefined || key === undefined) throw new Error(`${table} has no rows by ${by}`);
  const type = sql.raw(by === 'number' ? 'text[]' : 'uuid[]');
  const columns = sql.join(exportedColumns(entry).map((column) => sql.ref(column)));
  const { rows } = await sql<PersonRow>`
    select ${columns} from ${sql.table(table)}
    where workspace_id = ${workspaceId} and ${sql.raw(key)} = any(${[...values]}::${type})
    ${entry.order === undefined ? sql`` : sql`order by ${sql.raw(entry.order)}`}
    limit ${page.take} offset ${page.offset}`.execute(db);
  return rows;
}

/** Which of these ids the workspace has: calls, calls of a browser that have not begun, or chats, begun or not. */
export async function knownIds(
  db: Db,
  of: 'call' | 'chat',
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const [begun, waiting, key] =
    of === 'call' ? ['calls', 'web_call_tokens', 'call_id'] : ['chats', 'web_chats', 'chat_id'];
  const mine = (column: string): RawBuilder<SqlBool> =>
    sql`workspace_id = ${workspaceId} and ${sql.ref(column)} = any(${[...ids]}::uuid[])`;
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(begun ?? '')} where ${mine('id')}
    union select ${sql.ref(key ?? '')} from ${sql.table(waiting ?? '')} where ${mine(key ?? '')}
    order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** The next chats of these numbers, in the order of their ids. */
export async function chatsOfNumbers(
  db: Db,
  workspaceId: string,
  numbers: readonly string[],
  after: string | null,
  take: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from chats where workspace_id = ${workspaceId} and customer_number = any(${[...numbers]}::text[])
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${take}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The attempts of a call whose recordings are kept. */
export async function recordedAttempts(db: Db, workspaceId: string, callId: string): Promise<number[]> {
  const { rows } = await sql<{ attempt: number }>`
    select attempt from recording_files where workspace_id = ${workspaceId} and call_id = ${callId}
      and state <> 'delete' order by attempt`.execute(db);
  return rows.map(({ attempt }) => attempt);
}

/** Erasures of the numbers under way, without their other numbers. */
export async function erasuresOf(
  db: Db,
  workspaceId: string,
  numbers: readonly string[],
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select requested_at, state, array(select unnest(mobile_numbers) intersect select unnest(${[...numbers]}::text[]))
      as mobile_numbers
    from erasures where workspace_id = ${workspaceId} and mobile_numbers && ${[...numbers]}::text[]
    order by requested_at, id`.execute(db);
  return rows;
}

/** Those of the numbers that opted out after the backup that was restored. */
export async function optedOutOf(
  db: Db,
  workspaceId: string,
  numbers: readonly string[],
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select number from unnest(${[...numbers]}::text[]) as n (number)
    where is_opted_out(${workspaceId}, number) order by number`.execute(db);
  return rows;
}

/** Stored responses to the requests that placed these calls. */
export async function responsesOf(
  db: Db,
  workspaceId: string,
  callIds: readonly string[],
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select key, route, created_at, response from idempotency_keys
    where workspace_id = ${workspaceId} and response #>> '{data,call_id}' = any(${[...callIds]}::text[])
    order by created_at, key`.execute(db);
  return rows;
}

/** A page of the audit log after `after`: entries that name one of these calls or chats, and the id of its last entry. */
export async function auditPage(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  after: string | null,
  take: number,
): Promise<{ entries: PersonRow[]; last: string | null }> {
  const { rows } = await sql<{ entries: PersonRow[] | null; last: string | null }>`
    with page as (
      select id, at, action, status, objects from audit_log
      where workspace_id = ${workspaceId} and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${take})
    select (array_agg(id order by id desc))[1] as last,
      jsonb_agg(jsonb_build_object('at', at, 'action', action, 'status', status) order by id) filter (where exists (
        select from jsonb_each(objects) o (name, value)
        where case when jsonb_typeof(value) = 'array' then value ?| ${[...ids]}::text[]
          else value #>> '{}' = any(${[...ids]}::text[]) end)) as entries
    from page`.execute(db);
  const [row] = rows;
  return { entries: row?.entries ?? [], last: row?.last ?? null };
}

/** A logged request with its texts. */
export interface LoggedRequest {
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string | null;
  readonly response: string | null;
  readonly notices: readonly string[] | null;
}

/** The next logged requests after `after`. */
export async function requestsPage(
  db: Db,
  workspaceId: string,
  after: string | null,
  take: number,
): Promise<LoggedRequest[]> {
  const { rows } = await sql<LoggedRequest>`
    select id, at, method, path, status, body, response, notices from api_requests
    where workspace_id = ${workspaceId} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${take}`.execute(db);
  return rows;
}

/** The numbers from which the workspace calls and is called. */
export async function ownNumbers(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from numbers where workspace_id = ${workspaceId}
    union select number from whatsapp_numbers where workspace_id = ${workspaceId}`.execute(db);
  return rows.map(({ number }) => number);
}
