import { expect, it } from 'vitest';
import { pageOf, viewerSearch } from './viewer-search.ts';

it('reads a source and a position from an address', () => {
  expect(viewerSearch({ source: 's', chunk: 21 })).toEqual({ source: 's', chunk: 21 });
  for (const chunk of ['21', -1, 1.5, 1e9, null]) {
    expect(viewerSearch({ source: 's', chunk })).toEqual({ source: 's' });
  }
  expect(viewerSearch({ chunk: 3 })).toEqual({});
});

it('opens the page of a chunk', () => {
  expect([0, 19, 20, 41].map(pageOf)).toEqual([1, 1, 2, 3]);
});
