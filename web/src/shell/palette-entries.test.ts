import { expect, it } from 'vitest';
import { findEntries, type Entry } from './palette-entries.ts';

const hrefs = (entries: readonly Entry[]): string[] =>
  entries.map(({ target }) => ('href' in target ? target.href : target.action));

it('finds screens by a part of their name, calls by id, and the calls to a number', () => {
  expect(hrefs(findEntries('camp'))).toEqual(['/campaigns/new', '/campaigns']);
  const id = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
  expect(findEntries(` ${id} `)[0]).toEqual({
    name: `Call ${id}`,
    target: { href: `/calls/${id}` },
    role: 'viewer',
  });
  expect(hrefs(findEntries('+1 (415) 555-0123'))).toEqual(['/calls?number=%22%2B14155550123%22']);
  expect(findEntries('no such screen')).toEqual([]);
});

it('finds actions, and assistants and campaigns of the workspace by name', () => {
  expect(hrefs(findEntries('shortcut'))).toEqual(['shortcuts']);
  const agents = [{ id: 'a1', name: 'Maya, front desk' }];
  const campaigns = [{ id: 'c1', name: 'maya recalls' }];
  expect(findEntries('MAYA', agents, campaigns)).toEqual([
    { name: 'Maya, front desk', kind: 'Assistant', target: { href: '/agents/a1' }, role: 'viewer' },
    { name: 'maya recalls', kind: 'Campaign', target: { href: '/campaigns/c1' }, role: 'viewer' },
  ]);
  expect(findEntries('', agents, campaigns).some(({ kind }) => kind !== undefined)).toBe(false);
});

it('knows screens by other names, and puts what can be done first', () => {
  for (const [text, href] of [
    ['DNC', '/do-not-call'],
    ['privacy', '/settings/data'],
    ['key', '/settings/api-key'],
    ['team', '/settings/members'],
  ] as const)
    expect(hrefs(findEntries(text))).toContain(href);
  expect(hrefs(findEntries('agent')).slice(0, 2)).toEqual(['/agents/new', '/agents']);
  expect(hrefs(findEntries(''))[0]).toBe('/agents/new');
  expect(hrefs(findEntries('eam'))).not.toContain('/settings/members');
});
