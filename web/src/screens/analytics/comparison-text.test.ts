import { expect, it } from 'vitest';
import { comparedVersions, describeDifference, type ComparedRow } from './comparison-text.ts';

type Agents = Parameters<typeof comparedVersions>[0];
const agents = [
  { agent_id: 'one', versions: [{ version_id: 'a' }] },
  { agent_id: 'two', versions: [{ version_id: 'b' }, { version_id: 'c' }, { version_id: 'd' }] },
] as unknown as Agents;
const pairOf = (version?: string, other?: string): unknown => {
  const pair = comparedVersions(agents, { version, other });
  return pair === null ? null : [pair.agent.agent_id, pair.version, pair.other];
};

it('compares the chosen versions of one assistant, else the two with the most calls', () => {
  expect(pairOf('d', 'b')).toEqual(['two', 'd', 'b']);
  for (const [version, other] of [[], ['d'], ['a', 'b'], ['d', 'd'], ['x', 'y']]) {
    expect(pairOf(version, other)).toEqual(['two', 'b', 'c']);
  }
  expect(comparedVersions(agents.slice(0, 1), { version: 'a', other: 'a' })).toBeNull();
});

it('says whether a difference is beyond chance, with its interval', () => {
  const row = { verdict: 'b_higher', difference: 0.123, low: 0.04, high: 0.2 } as ComparedRow;
  expect(describeDifference(row)).toEqual({
    verdict: 'B is higher',
    interval: '+12.3 points (+4 to +20)',
  });
  expect(describeDifference({ ...row, verdict: 'within_chance', low: -0.05 }).interval).toBe(
    '+12.3 points (-5 to +20)',
  );
  expect(
    describeDifference({ ...row, verdict: 'no_calls', difference: null, low: null, high: null }),
  ).toEqual({ verdict: 'No calls to compare', interval: null });
});
