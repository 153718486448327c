import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../src');

it('lets only shared/scratch choose where temporary files lie', () => {
  const users = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\btmpdir\b|\bmkdtemp(Sync)?\b|'\/tmp\b/.test(readFileSync(join(root, file), 'utf8')));
  expect(users).toEqual(['shared/scratch.ts']);
});
