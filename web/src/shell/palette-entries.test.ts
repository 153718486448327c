import { expect, it } from 'vitest';
import { findEntries } from './palette-entries.ts';

it('finds screens by a part of their name, calls by id, and the calls to a number', () => {
  expect(findEntries('camp').map(({ href }) => href)).toEqual(['/campaigns', '/campaigns/new']);
  const id = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
  expect(findEntries(` ${id} `)[0]).toEqual({ name: `Call ${id}`, href: `/calls/${id}`, role: 'viewer' });
  expect(findEntries('+1 (415) 555-0123')[0]?.href).toBe('/calls?number=%22%2B14155550123%22');
  expect(findEntries('no such screen')).toEqual([]);
});
