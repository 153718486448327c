import { describe, expect, it } from 'vitest';
import { chatFilters, toRequest } from './filters.ts';

describe('the filters of the chats list', () => {
  it('are read from an address, without what is no filter', () => {
    expect(chatFilters({ state: 'open', channel: 'web', agent: 'a', number: 49301, page: 2, x: 1 })).toEqual({
      state: 'open',
      channel: 'web',
      agent: 'a',
      number: '49301',
      page: 2,
    });
    expect(chatFilters({ state: 'toString', channel: 'test', agent: '', number: '', page: 0 })).toEqual({});
  });

  it('become a request for one page', () => {
    expect(toRequest({ state: 'closed', number: '+49301', page: 3 })).toEqual({
      limit: 50,
      offset: 100,
      state: 'closed',
      customer_number: '+49301',
    });
  });
});
