import type { Db } from '../../../store/database.ts';
import {
  chatsOfNumbers,
  exportedTables,
  personRows,
  recordedAttempts,
  type FoundBy,
  type PersonRow,
} from '../../../store/privacy/person-data.ts';
import type { Table } from '../../../store/privacy/register/register.ts';
import { attemptRecordingUrl } from '../../calls/recording-link.ts';
import { unpackedLog } from '../../calls/replay.ts';
import type { SignedLinks } from '../../links/signed-links.ts';
import { findCalls } from '../find-calls.ts';
import type { Person } from './searches.ts';

/** The rows of a table, read page by page. */
export interface TableRows {
  readonly table: string;
  readonly pages: AsyncIterable<readonly PersonRow[]>;
}

/** A call or chat of the person. */
export interface Subject {
  readonly id: string;
  /** Of a call: its recordings. */
  readonly recordings: readonly { readonly attempt: number; readonly url: string }[];
  readonly tables: readonly TableRows[];
}

interface Deps {
  readonly db: Db;
  readonly link: SignedLinks;
}

/** Rows per statement. */
const ROWS = 100;
/** Calls that one statement looks through. */
const CALLS = 10_000;
const CHATS = 500;

/** The calls of a person; adds their ids to `person`. Null: calls were looked through, which shows progress. */
export async function* callsOf(
  { db, link }: Deps,
  person: Person,
  asked: readonly string[],
): AsyncGenerator<Subject | null> {
  const { workspaceId, callIds } = person;
  const one = async (id: string): Promise<Subject> => {
    callIds.push(id);
    const attempts = await recordedAttempts(db, workspaceId, id);
    const url = (attempt: number): string => attemptRecordingUrl(link, workspaceId, id, attempt);
    const recordings = attempts.map((attempt) => ({ attempt, url: url(attempt) }));
    return { id, recordings, tables: tablesBy(db, 'call', workspaceId, [id]) };
  };
  for (const id of asked) yield await one(id);
  const given = new Set(asked);
  for await (const page of foundCalls(db, person)) {
    yield null;
    for (const id of page) if (!given.has(id)) yield await one(id);
  }
}

async function* foundCalls(db: Db, person: Person): AsyncGenerator<readonly string[]> {
  if (person.mobileNumbers.length === 0) return;
  let after: string | null = null;
  do {
    const search: Parameters<typeof findCalls>[1] = {
      ...person,
      requestedAt: person.until,
      afterCall: after,
    };
    const page: Awaited<ReturnType<typeof findCalls>> = await findCalls(db, search, CALLS);
    yield page.ids;
    after = page.last;
  } while (after !== null);
}

/** The chats of a person; adds their ids to `person`. */
export async function* chatsOf(
  { db }: Pick<Deps, 'db'>,
  person: Person,
  asked: readonly string[],
): AsyncGenerator<Subject> {
  const { workspaceId, chatIds, mobileNumbers } = person;
  const one = (id: string): Subject => {
    chatIds.push(id);
    return { id, recordings: [], tables: tablesBy(db, 'chat', workspaceId, [id]) };
  };
  for (const id of asked) yield one(id);
  const given = new Set(asked);
  let after: string | null = null;
  while (mobileNumbers.length > 0) {
    const page: string[] = await chatsOfNumbers(db, workspaceId, mobileNumbers, after, CHATS);
    for (const id of page) if (!given.has(id)) yield one(id);
    after = page.at(-1) ?? null;
    if (after === null) return;
  }
}

/** The rows of every table that the register finds by the call, the chat or the number. */
export const tablesBy = (
  db: Db,
  by: FoundBy,
  workspaceId: string,
  values: readonly string[],
): readonly TableRows[] =>
  exportedTables(by).map((table) => ({ table, pages: pagesOf(db, table, by, workspaceId, values) }));

async function* pagesOf(
  db: Db,
  table: Table,
  by: FoundBy,
  workspaceId: string,
  values: readonly string[],
): AsyncGenerator<readonly PersonRow[]> {
  for (let offset = 0; values.length > 0; offset += ROWS) {
    const rows = await personRows(db, table, by, workspaceId, values, { offset, take: ROWS });
    if (rows.length > 0) yield await Promise.all(rows.map(readable));
    if (rows.length < ROWS) return;
  }
}

/** A row whose packed columns are texts. */
async function readable(row: PersonRow): Promise<PersonRow> {
  const columns = Object.entries(row).map(async ([name, value]) => [
    name,
    Buffer.isBuffer(value) ? await unpackedLog(value) : value,
  ]);
  return Object.fromEntries(await Promise.all(columns)) as PersonRow;
}
