import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';
import { settingsOf } from '../terms.ts';

/** The kinds of data that have a storage quota. */
export const STORAGE_KINDS = ['recordings', 'callRecords', 'chats', 'tests'] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

/** Bytes of each kind. */
export type StoredBytes = Readonly<Record<StorageKind, number>>;

export interface StorageUse {
  readonly bytes: StoredBytes;
  /** Null: not counted yet. */
  readonly countedAt: Date | null;
  /** The kinds that had reached their quota at the last count. */
  readonly full: readonly StorageKind[];
  /** MB, at the time of the last count; absent: no quota. */
  readonly quotas: StorageQuotas;
}

export type StorageQuotas = Readonly<Partial<Record<StorageKind, number>>>;

/** Adds the rows of new workspaces: their first count is due at once. */
export async function enterWorkspaces(db: Db, at: Date): Promise<void> {
  await sql`
    insert into storage_use (workspace_id, due_at)
    select id, ${at} from workspaces w
    where not exists (select from storage_use s where s.workspace_id = w.id)
    on conflict do nothing`.execute(db);
}

/** Leases the count that has been due for longest until `until`. Returns its workspace with the settings; null: no count is due. */
export async function takeDueCount(
  db: Db,
  now: Date,
  until: Date,
): Promise<{ readonly workspaceId: string; readonly settings: JsonObject } | null> {
  const { rows } = await sql<{ workspaceId: string; settings: JsonObject }>`
    update storage_use s set due_at = ${until}
    from workspaces w
    where w.id = s.workspace_id and s.workspace_id = (
      select workspace_id from storage_use where due_at <= ${now} order by due_at limit 1 for update skip locked)
    returning s.workspace_id as "workspaceId", ${settingsOf('w')} as settings`.execute(db);
  return rows[0] ?? null;
}

/** The sums of one page of rows, and the id after which the next page begins; null: this was the last one. */
export interface CountedPage {
  readonly sums: Partial<StoredBytes>;
  readonly next: string | null;
}

const PAGE = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Stored bytes of these columns, compressed; values that PostgreSQL stores out of line are not read. */
const sizeOf = (table: string, columns: readonly string[]): RawBuilder<number> =>
  sql.join(
    columns.map((column) => sql`coalesce(pg_column_size(${sql.ref(`${table}.${column}`)}), 0)::bigint`),
    sql` + `,
  );

interface Sums {
  readonly first: number;
  readonly second: number;
  readonly next: string | null;
}

const next = sql`case when (select count(*) from page) = ${sql.lit(PAGE)}
  then (select id from page order by id desc limit 1) end as next`;

const RECORD = [
  'transcript',
  'tool_log',
  'latency',
  'usage',
  'agents',
  'platform_analysis',
  'client_analysis',
  'evaluations',
  'event_log',
];

/** The records and recordings of the calls after `after`, with what detectors and scorecards wrote about them. */
async function countCalls(db: Db, workspaceId: string, after: string): Promise<CountedPage> {
  const { rows } = await sql<Sums>`
    with page as materialized (
      select r.call_id as id, r.recording_path, r.recording_bytes, ${sizeOf('r', RECORD)}
        + coalesce((select ${sizeOf('k', ['verdicts'])} from call_checks k
          where k.workspace_id = r.workspace_id and k.call_id = r.call_id), 0)
        + coalesce((select sum(${sizeOf('f', ['detail'])}) from call_findings f
          where f.workspace_id = r.workspace_id and f.call_id = r.call_id), 0) as bytes from call_records r
      where r.workspace_id = ${workspaceId} and r.call_id > ${after} order by r.call_id limit ${sql.lit(PAGE)})
    select coalesce((select sum(bytes) from page), 0)::float8 as first,
      coalesce((select sum(coalesce(f.bytes, case when f.path = p.recording_path then p.recording_bytes end))
        from page p join recording_files f on f.workspace_id = ${workspaceId} and f.call_id = p.id
        where f.state <> 'delete'), 0)::float8 as second, ${next}`.execute(db);
  const { first, second, next: id } = rows[0]!;
  return { sums: { callRecords: first, recordings: second }, next: id };
}

const CHAT = [
  'args',
  'talk',
  'tool_log',
  'turn_tools',
  'usage',
  'platform_analysis',
  'client_analysis',
  'evaluations',
];

/** The chats after `after`, with their messages; those of agent tests count as tests. */
async function countChats(db: Db, workspaceId: string, after: string): Promise<CountedPage> {
  const { rows } = await sql<Sums>`
    with page as materialized (
      select c.id, c.channel = 'test' as "isTest", ${sizeOf('c', CHAT)} as bytes from chats c
      where c.workspace_id = ${workspaceId} and c.id > ${after} order by c.id limit ${sql.lit(PAGE)})
    select coalesce(sum(s.bytes) filter (where not s."isTest"), 0)::float8 as first,
      coalesce(sum(s.bytes) filter (where s."isTest"), 0)::float8 as second, ${next}
    from (select "isTest", bytes from page union all
      select p."isTest", ${sizeOf('m', ['text', 'content', 'spoken_by'])} from page p
      join chat_messages m on m.workspace_id = ${workspaceId} and m.chat_id = p.id) s`.execute(db);
  const { first, second, next: id } = rows[0]!;
  return { sums: { chats: first, tests: second }, next: id };
}

/** The test cases after `after`. */
async function countCases(db: Db, workspaceId: string, after: string): Promise<CountedPage> {
  const { rows } = await sql<Sums>`
    with page as materialized (
      select c.id, ${sizeOf('c', ['definition'])} as bytes from agent_test_cases c
      where c.workspace_id = ${workspaceId} and c.id > ${after} order by c.id limit ${sql.lit(PAGE)})
    select coalesce((select sum(bytes) from page), 0)::float8 as first, 0::float8 as second, ${next}`.execute(
    db,
  );
  return { sums: { tests: rows[0]!.first }, next: rows[0]!.next };
}

/** The results of the test runs after `after`. */
async function countTests(db: Db, workspaceId: string, after: string): Promise<CountedPage> {
  const { rows } = await sql<Sums>`
    with page as materialized (
      select t.id from agent_test_runs t
      where t.workspace_id = ${workspaceId} and t.id > ${after} order by t.id limit ${sql.lit(PAGE)})
    select coalesce((select sum(${sizeOf('r', ['definition', 'turns', 'verdicts'])}) from page p
      join agent_test_results r on r.workspace_id = ${workspaceId} and r.run_id = p.id), 0)::float8 as first,
      0::float8 as second, ${next}`.execute(db);
  return { sums: { tests: rows[0]!.first }, next: rows[0]!.next };
}

/** What a rehearsal stores in tables of its own. */
const OF_REHEARSAL = [
  ['rehearsed_conversations', ['conversation', 'conversation_before']],
  ['rehearsal_lines', ['key', 'line']],
  ['rehearsal_calls', ['judged']],
] as const;

/** The rehearsals after `after`, with their conversations, recorded lines and judged calls. */
async function countRehearsals(db: Db, workspaceId: string, after: string): Promise<CountedPage> {
  const parts = OF_REHEARSAL.map(
    ([table, columns]) => sql`coalesce((select sum(${sizeOf('c', columns)}) from ${sql.table(table)} c
      where c.workspace_id = r.workspace_id and c.rehearsal_id = r.id), 0)`,
  );
  const { rows } = await sql<Sums>`
    with page as materialized (
      select r.id, ${sizeOf('r', ['scenarios', 'spec', 'against_spec', 'result'])} + ${sql.join(parts, sql` + `)} as bytes
      from rehearsals r
      where r.workspace_id = ${workspaceId} and r.id > ${after} order by r.id limit ${sql.lit(PAGE)})
    select coalesce((select sum(bytes) from page), 0)::float8 as first, 0::float8 as second, ${next}`.execute(
    db,
  );
  return { sums: { tests: rows[0]!.first }, next: rows[0]!.next };
}

/** Adds up the stored bytes of a workspace, page by page along primary keys, so that no query holds a connection for long. */
export async function countStored(
  db: Db,
  workspaceId: string,
  isStopped = () => false,
): Promise<StoredBytes> {
  const total: Record<StorageKind, number> = { recordings: 0, callRecords: 0, chats: 0, tests: 0 };
  for (const countPage of [countCalls, countChats, countCases, countTests, countRehearsals]) {
    for (let after: string | null = FIRST; after !== null && !isStopped();) {
      const page: CountedPage = await countPage(db, workspaceId, after);
      for (const kind of STORAGE_KINDS) total[kind] += page.sums[kind] ?? 0;
      after = page.next;
    }
  }
  return total;
}

/** Stores a count. The next one is due at `dueAt`, or at once if the quotas changed since the lease was taken. */
export async function saveCount(
  db: Db,
  workspaceId: string,
  count: Pick<StorageUse, 'bytes' | 'full' | 'quotas'>,
  at: { readonly countedAt: Date; readonly dueAt: Date; readonly leasedUntil: Date },
): Promise<void> {
  const { bytes, full, quotas } = count;
  await sql`
    update storage_use set recordings = ${bytes.recordings}, call_records = ${bytes.callRecords}, chats = ${bytes.chats},
      tests = ${bytes.tests}, full_kinds = ${[...full]}::text[], quotas = ${JSON.stringify(quotas)}::jsonb,
      counted_at = ${at.countedAt},
      due_at = case when due_at = ${at.leasedUntil} then ${at.dueAt} else due_at end
    where workspace_id = ${workspaceId}`.execute(db);
}

/** Makes the counts of all workspaces due, because their quotas may have changed. */
export async function countAllSoon(tx: Tx, at: Date): Promise<void> {
  await sql`update storage_use set due_at = ${at} where due_at > ${at}`.execute(tx);
}

/** The last count of a workspace; null: none yet. */
export async function readStorageUse(db: Db, workspaceId: string): Promise<StorageUse | null> {
  const { rows } = await sql<StorageUse>`
    select json_build_object('recordings', recordings, 'callRecords', call_records, 'chats', chats, 'tests', tests) as bytes,
      counted_at as "countedAt", full_kinds as "full", quotas
    from storage_use where workspace_id = ${workspaceId}`.execute(db);
  return rows[0] ?? null;
}

/** The workspaces that had reached a quota at their last count. */
export async function listFullWorkspaces(
  db: Db,
): Promise<readonly { readonly workspaceId: string; readonly full: readonly StorageKind[] }[]> {
  const { rows } = await sql<{ workspaceId: string; full: readonly StorageKind[] }>`
    select workspace_id as "workspaceId", full_kinds as "full" from storage_use where full_kinds <> '{}'`.execute(
    db,
  );
  return rows;
}
