import { expect, it } from 'vitest';
import { newId } from '../shared/ids.ts';
import { nextCursor, pageRequest } from './cursor.ts';

const rows = [1, 2].map((n) => ({ at: new Date(1_767_600_000_000 - n), id: newId() }));

it('leads from the last row of a full page to the next page', () => {
  const page = pageRequest({ limit: 2 }, 10);
  const cursor = nextCursor(page, rows);
  expect(pageRequest({ cursor: cursor! }, 10)).toEqual({ limit: 10, offset: 0, after: rows[1] });
});

it('is null after a page that is not full', () => {
  expect(nextCursor(pageRequest({ limit: 3 }, 10), rows)).toBeNull();
  expect(nextCursor(pageRequest({}, 10), [])).toBeNull();
});

it.each([
  ['', 'cursor'],
  ['2', 'cursor'],
  ['zzzzzzzzzz-00000000000000000000000000000000', 'cursor'],
  [`1-${'0'.repeat(31)}`, 'cursor'],
])('refuses %j', (cursor, field) => {
  expect(() => pageRequest({ cursor }, 10)).toThrow(`${field} must be the next_cursor of the previous page`);
});

it('refuses an offset beside a cursor, and a limit above 200', () => {
  const cursor = nextCursor(pageRequest({ limit: 2 }, 10), rows)!;
  expect(() => pageRequest({ cursor, offset: 5 }, 10)).toThrow('offset must not stand beside cursor');
  expect(() => pageRequest({ limit: 201 }, 10)).toThrow('limit must be at most 200');
});
