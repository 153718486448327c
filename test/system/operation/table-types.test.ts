import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tableTypes } from '../../../scripts/table-types.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';

it('the table types in src/store/tables.ts are those of the migrated database (npm run tables)', async () => {
  const database = await createTestDatabase();
  try {
    const written = await readFile(join(import.meta.dirname, '../../../src/store/tables.ts'), 'utf8');
    expect(await tableTypes(database.db)).toBe(written);
  } finally {
    await database.close();
  }
});
