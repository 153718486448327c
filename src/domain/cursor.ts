import { errors } from '../errors.ts';
import { isUuid } from '../shared/ids.ts';

/** The last row of a page of a list that is sorted by time and id, newest first. */
export interface Cursor {
  readonly at: Date;
  readonly id: string;
}

/** A page as a request asks for it: `after` and `offset` exclude each other. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  /** The page begins after this row; null: at `offset`. */
  readonly after: Cursor | null;
}

const MAX_LIMIT = 200;
/** A time in base 36 and the id without dashes. */
const SHAPE = /^([0-9a-z]{1,10})-([0-9a-f]{32})$/;
/** The year 9999; a later time is no time of a row. */
const MAX_TIME = 253_402_300_799_999;

const textOf = ({ at, id }: Cursor): string => `${at.getTime().toString(36)}-${id.replaceAll('-', '')}`;

function readCursor(text: string): Cursor {
  const [, time = '', hex = ''] = SHAPE.exec(text) ?? [];
  const at = Number.parseInt(time, 36);
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(id) || !(at <= MAX_TIME)) {
    throw errors.invalid('cursor', 'must be the next_cursor of the previous page');
  }
  return { at: new Date(at), id };
}

/** The page that a query asks for. Throws 400 for a limit above 200, and 422 for a cursor beside an offset. */
export function pageRequest(
  query: { readonly limit?: number; readonly offset?: number; readonly cursor?: string },
  defaultLimit: number,
): PageRequest {
  const limit = query.limit ?? defaultLimit;
  if (limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  const offset = query.offset ?? 0;
  if (query.cursor === undefined) return { limit, offset, after: null };
  if (offset > 0) throw errors.invalid('offset', 'must not stand beside cursor');
  return { limit, offset: 0, after: readCursor(query.cursor) };
}

/** The cursor of the page after this one; null when this page is not full, so that no row follows. */
export function nextCursor(page: PageRequest, rows: readonly Cursor[]): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < page.limit ? null : textOf(last);
}
