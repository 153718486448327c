import { expect, it } from 'vitest';
import { analyticsFilters, callsOfDay, callsOfResult, toQuery } from './filters.ts';

const TODAY = '2026-03-31';

it('reads only filters from an address', () => {
  expect(
    analyticsFilters({ from: '2026-03-01', to: 'today', agent: '', campaign: 'c', page: 2, version: 'v' }),
  ).toEqual({
    from: '2026-03-01',
    campaign: 'c',
    version: 'v',
  });
});

it('asks for the last 30 days without a day, and for everything before a last day alone', () => {
  expect(toQuery({}, TODAY)).toEqual({ start_date: '2026-03-02' });
  expect(toQuery({ to: '2026-01-31', agent: 'a' }, TODAY)).toEqual({ end_date: '2026-01-31', agent_id: 'a' });
});

it('leads to the calls of a day or of a result, with the assistant and the campaign of the page', () => {
  const query = toQuery({ from: '2026-03-01', to: '2026-03-30', agent: 'a', campaign: 'c' }, TODAY);
  expect(callsOfDay('2026-03-07', query)).toEqual({
    from: '2026-03-07',
    to: '2026-03-07',
    agent: 'a',
    campaign: 'c',
  });
  expect(callsOfResult('Voicemail', query)).toEqual({
    result: 'Voicemail',
    from: '2026-03-01',
    to: '2026-03-30',
    agent: 'a',
    campaign: 'c',
  });
  expect(callsOfDay('2026-03-07', toQuery({}, TODAY))).toEqual({ from: '2026-03-07', to: '2026-03-07' });
});
