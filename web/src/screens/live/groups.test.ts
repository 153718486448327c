import { describe, expect, it } from 'vitest';
import { groupsOf, type Grouping } from './groups.ts';
import { withEvents } from './wall.ts';

const NOW = 20_000;
/** Calls `a` and `d` are silent. */
const WALL = withEvents(
  new Map(),
  [
    ['a', 1_000],
    ['b', 19_000],
    ['c', 19_000],
    ['d', 1_000],
  ].map(([id, endedAt]) => ({ type: 'line', call_id: id, line: { role: 'agent', text: 'Yes?', endedAt } })),
);
const CAMPAIGNS = new Map([
  ['c1', 'Visits'],
  ['c2', 'Surveys'],
]);
const call = (id: string, campaign: string | null, agent: string | null) => ({
  call_id: id,
  bulk_list_id: campaign,
  agent_id: `id of ${agent}`,
  agent_name: agent,
  answered_at: null,
});
const CALLS = [
  call('b', null, 'Maya'),
  call('c', 'c1', 'Asha'),
  call('a', 'c1', 'Maya'),
  call('d', 'c2', 'Asha'),
];
const shown = (by: Grouping, calls = CALLS): string[] =>
  groupsOf(by, calls, CAMPAIGNS, WALL, new Map(), NOW).map(
    ({ name, calls: those }) => `${name}: ${those.map(({ call_id: id }) => id).join('')}`,
  );

describe('the calls of a wall', () => {
  it('are one group until the reader groups them, silent ones first', () => {
    expect(shown('none')).toEqual([': adbc']);
    expect(shown('none', [])).toEqual([]);
  });

  it('are grouped by campaign, by name, those without a campaign at the end', () => {
    expect(shown('campaign')).toEqual(['Surveys: d', 'Visits: ac', ': b']);
  });

  it('are grouped by assistant, silent calls first in each group', () => {
    expect(shown('assistant')).toEqual(['Asha: dc', 'Maya: ab']);
  });

  it('have the id of a campaign or an assistant whose name is not known', () => {
    expect(shown('campaign', [call('e', 'c9', 'Maya')])).toEqual(['c9: e']);
    expect(shown('assistant', [call('e', 'c9', null)])).toEqual(['id of null: e']);
  });
});
