import { expect, it } from 'vitest';
import { callFilters, toRequest } from './filters.ts';

it('a finding in the address filters the list; an unknown one is left out', () => {
  expect(toRequest(callFilters({ finding: 'talk_over' }))).toEqual({
    limit: 50,
    offset: 0,
    finding: 'talk_over',
  });
  expect(callFilters({ finding: 'boredom' })).toEqual({});
});

it('a result in the address filters the list by its exact words', () => {
  const filters = callFilters({ result: 'Confirmed: yes', number: '' });
  expect(filters).toEqual({ result: 'Confirmed: yes' });
  expect(toRequest(filters)).toEqual({ limit: 50, offset: 0, result: 'Confirmed: yes' });
});
