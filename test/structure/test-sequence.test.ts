import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONG } from '../../scripts/test-sequence.ts';

it('the files that begin first exist, each named once', () => {
  expect(LONG.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
  expect(new Set(LONG).size).toBe(LONG.length);
});
