import { expect, it } from 'vitest';
import { readMigrations } from '../../src/store/migrate.ts';

it('every migration has the next number, and no two have the same', async () => {
  const numbers = (await readMigrations()).map(({ name }) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
