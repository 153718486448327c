import { expect, it } from 'vitest';
import { productFiles } from './sources.ts';

/** Casts that the types cannot follow: mostly what a library types too widely. A JSON column has its type in `store/json`. */
const MOST_CASTS = 15;

it('the service casts by `unknown` in few places', () => {
  const casts = productFiles()
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (line.includes('as unknown as') ? [`${file}:${index + 1}`] : [])),
    );
  expect(casts.length).toBeGreaterThan(0);
  expect(casts.slice(MOST_CASTS)).toEqual([]);
});
