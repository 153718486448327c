import type { Db } from '../../../store/database.ts';
import { nextList, readRejects, type ListToErase } from '../../../store/privacy/erasure-lists.ts';
import {
  auditPage,
  erasuresOf,
  optedOutOf,
  ownNumbers,
  requestsPage,
  responsesOf,
  type LoggedRequest,
  type PersonRow,
} from '../../../store/privacy/person-data.ts';
import { unpackPiece } from '../../campaigns/import/piece.ts';
import { requestNames } from '../erase-requests.ts';
import { numberMentions } from '../mentions-number.ts';
import { cellsOf, rowsOf } from '../refused-rows.ts';

/** Who is looked for: numbers, and the calls and chats that were found. */
export interface Person {
  readonly workspaceId: string;
  readonly mobileNumbers: readonly string[];
  readonly callIds: string[];
  readonly chatIds: string[];
  /** What came later is not looked for. */
  readonly until: Date;
}

type Search = (db: Db, person: Person) => AsyncGenerator<readonly PersonRow[]>;

const REQUESTS = 50;
const ENTRIES = 5000;

/** How an export finds the rows of the tables whose rows the register alone does not find. */
export const SEARCHES: Readonly<Record<string, Search>> = {
  campaign_upload_pieces: refusedRows,
  erasures: async function* erasures(db, { workspaceId, mobileNumbers }) {
    yield await erasuresOf(db, workspaceId, mobileNumbers);
  },
  opted_out: async function* optedOut(db, { workspaceId, mobileNumbers }) {
    yield await optedOutOf(db, workspaceId, mobileNumbers);
  },
  idempotency_keys: async function* responses(db, { workspaceId, callIds }) {
    yield await responsesOf(db, workspaceId, callIds);
  },
  api_requests: requests,
  audit_log: audit,
};

/** Refused rows of contact lists that have one of the numbers, by the names of their columns. */
async function* refusedRows(db: Db, person: Person): AsyncGenerator<readonly PersonRow[]> {
  const { workspaceId, mobileNumbers, until } = person;
  if (mobileNumbers.length === 0) return;
  const mentions = numberMentions(mobileNumbers);
  let afterList: string | null = null;
  for (;;) {
    const list: ListToErase | null = await nextList(db, { workspaceId, requestedAt: until, afterList });
    if (list === null) return;
    afterList = list.id;
    if (list.isRead) yield* refusedRowsOf(db, list, mentions);
  }
}

async function* refusedRowsOf(
  db: Db,
  list: ListToErase,
  mentions: (text: string) => boolean,
): AsyncGenerator<readonly PersonRow[]> {
  let header: readonly string[] = [];
  for (let seq = 0; ; seq += 1) {
    const content = await readRejects(db, list, seq);
    if (content === undefined) return;
    const text = (await unpackPiece(content)).toString();
    const rows = rowsOf(text);
    if (seq === 0) header = cellsOf(rows.shift() ?? '');
    const found = mentions(text) ? rows.filter(mentions) : [];
    yield found.map((row) => ({ list: list.id, columns: header, cells: cellsOf(row) }));
  }
}

/** A number with country code in a text. */
const NUMBER = /\+\d{7,15}/g;

async function* requests(db: Db, person: Person): AsyncGenerator<readonly PersonRow[]> {
  const { workspaceId, mobileNumbers, callIds, chatIds } = person;
  const names = requestNames({ numbers: mobileNumbers, ids: [...callIds, ...chatIds] });
  const allowed = new Set([...mobileNumbers, ...(await ownNumbers(db, workspaceId))]);
  let after: string | null = null;
  for (;;) {
    const page: LoggedRequest[] = await requestsPage(db, workspaceId, after, REQUESTS);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield page.filter(names).map((request) => requestRow(request, allowed));
  }
}

function requestRow(request: LoggedRequest, allowed: ReadonlySet<string>): PersonRow {
  const { at, method, status, path, body, response, notices } = request;
  const numbers = [path, body, response].flatMap((text) => (text ?? '').match(NUMBER) ?? []);
  return numbers.every((number) => allowed.has(number))
    ? { at, method, status, path, body, response, notices }
    : { at, method, status, withheld: 'its texts name another person, too' };
}

async function* audit(db: Db, person: Person): AsyncGenerator<readonly PersonRow[]> {
  const { workspaceId, callIds, chatIds } = person;
  const ids = [...callIds, ...chatIds];
  if (ids.length === 0) return;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof auditPage>> = await auditPage(db, workspaceId, ids, after, ENTRIES);
    yield page.entries;
    after = page.last;
  } while (after !== null);
}
