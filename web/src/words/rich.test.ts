import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { rich } from './rich.ts';

it('leaves out an element that is not there, and keeps a name without a value', () => {
  expect(
    renderToStaticMarkup(rich('{some} of {all} are done. {more}', { some: 1, all: 2, more: null })),
  ).toBe('1 of 2 are done. ');
  expect(renderToStaticMarkup(rich('{some} of {all}', { some: 1 }))).toBe('1 of {all}');
});
