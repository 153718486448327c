import { expect, it } from 'vitest';
import { productFiles } from './sources.ts';

it('lets only shared/scratch choose where temporary files lie', () => {
  const users = productFiles()
    .filter(({ text }) => /\btmpdir\b|\bmkdtemp(Sync)?\b|'\/tmp\b/.test(text))
    .map(({ file }) => file);
  expect(users).toEqual(['src/shared/scratch.ts']);
});
