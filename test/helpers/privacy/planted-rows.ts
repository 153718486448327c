import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Db } from '../../../src/store/database.ts';
import { newId } from '../../../src/shared/ids.ts';
import { changeResult } from '../../../src/store/analysis/results.ts';
import { exportedTables, type FoundBy } from '../../../src/store/privacy/person-data.ts';
import { REGISTER, type Table } from '../../../src/store/privacy/register/register.ts';

/** Values that the rules of a table ask for. */
const ALLOWED: Readonly<Record<string, string>> = {
  'calls.call_type': 'outbound',
  'calls.status': 'completed',
  'web_call_tokens.media_type': 'text',
  'call_attempts.status': 'ended',
  'chats.channel': 'whatsapp',
  'chats.state': 'closed',
  'chat_messages.role': 'customer',
  'deliveries.state': 'delivered',
  'agent_test_results.state': 'passed',
  'rehearsals.state': 'ended',
  'campaign_messages.status': 'completed',
};

/** Documents that are changed in parts, with a mark in each part that holds personal data. */
const DOCUMENTS: Readonly<Record<string, (mark: string) => unknown>> = {
  'call_records.vendor_faults': (mark) => [{ vendor: 'x', kind: 'refused', message: mark }],
  'deliveries.attempts': (mark) => [{ status: 200, body: mark }],
  'events.body': (mark) => ({
    call_type: 'outbound',
    to_number: '+1',
    callee_name: mark,
    transcript: [mark],
  }),
};

/** Of columns that are neither text nor id: those get a new id, so that the rows of several persons differ. */
const NOTHING: Readonly<Record<string, string | number>> = {
  boolean: 'false',
  jsonb: '{}',
  json: '{}',
  smallint: 1,
  integer: 1,
  bigint: 1,
  'timestamp with time zone': '2026-01-05T10:00:00Z',
  date: '2026-01-05',
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
}

/** The number of the workspace that calls. */
export const OWN_NUMBER = '+14155550100';

/** Stands in every planted column. */
export const MARK = 'zqx-row';

/** What a planted column holds. */
export const markOf = (table: string, column: string): string => `${MARK} of ${table} ${column}`;

/**
 * Inserts a row of a table of the register, for a call, a chat or a number, with a mark in every personal column; columns
 * without personal data get any allowed value. Rules that concern other rows do not run.
 */
async function plantRow(
  db: Db,
  table: Table,
  by: FoundBy,
  workspaceId: string,
  value: string,
  over: Readonly<Record<string, string | null>> = {},
): Promise<void> {
  const entry = REGISTER[table];
  if (entry === undefined) throw new Error(`${table} is not in the register`);
  const given: Record<string, unknown> = { workspace_id: workspaceId, ...over };
  const key = entry[by];
  if (key !== undefined && /^\w+$/.test(key)) given[key] ??= value;
  const values: [string, unknown][] = [];
  for (const { name, type, isNeeded } of await columnsOf(db, table)) {
    const allowed = ALLOWED[`${table}.${name}`];
    if (name in given) values.push([name, given[name]]);
    else if (name in entry.columns) values.push([name, marked(table, name, type)]);
    else if (allowed !== undefined) values.push([name, allowed]);
    else if (isNeeded) values.push([name, NOTHING[type] ?? newId()]);
  }
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into ${sql.table(table)} (${sql.join(values.map(([name]) => sql.ref(name)))})
      values (${sql.join(values.map(([, each]) => sql`${each}`))})`.execute(tx);
  });
}

function marked(table: string, column: string, type: string): unknown {
  const mark = markOf(table, column);
  // Unique in its workspace.
  if (column === 'external_id') return `${mark} ${newId()}`;
  const document = DOCUMENTS[`${table}.${column}`];
  if (document !== undefined) return JSON.stringify(document(mark));
  switch (type) {
    case 'bytea':
      return gzipSync(mark);
    case 'json':
    case 'jsonb':
      return JSON.stringify([mark]);
    case 'ARRAY':
      return [mark];
    default:
      return mark;
  }
}

async function columnsOf(db: Db, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select column_name as name, data_type as type,
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' as "isNeeded"
    from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(db);
  return rows;
}

/**
 * Plants a call and a chat of the number, with a row in every table of the register, and rows of the number itself. `runId`:
 * the run of test cases to which results belong.
 */
export async function plantPerson(
  db: Db,
  workspaceId: string,
  number: string,
  runId: string = newId(),
): Promise<{ callId: string; chatId: string }> {
  const [callId, chatId] = [newId(), newId()];
  const own: Readonly<Record<string, object>> = {
    'call calls': { to_number: number, from_number: OWN_NUMBER, result: null },
    'call call_attempts': { to_number: number },
    'chat chats': { customer_number: number },
  };
  for (const [by, value] of [
    ['call', callId],
    ['chat', chatId],
    ['number', number],
  ] as const) {
    for (const table of exportedTables(by)) {
      // The rows of a test case by its call and by its chat are two.
      const ids = by === 'chat' && table !== 'chats' ? { id: newId(), case_id: newId() } : {};
      await plantRow(db, table, by, workspaceId, value, { run_id: runId, ...ids, ...own[`${by} ${table}`] });
    }
  }
  // By the store, which counts the answer among the results of its day.
  const result = { text: markOf('calls', 'result'), source: 'goal' } as const;
  await db.transaction().execute((tx) => changeResult(tx, workspaceId, callId, result));
  return { callId, chatId };
}
