import { describe, expect, it } from 'vitest';
import { sqlInside, statementsOutside } from './migrate.ts';

const HEAD = '-- Outside a transaction.\n';
const migrationOf = (sql: string) => ({ name: '0001_a.sql', sql, checksum: '' });

describe('a migration', () => {
  it('runs in a transaction unless its first line declares otherwise', () => {
    expect(statementsOutside(migrationOf('create index a on b (c);\n'))).toBeNull();
    expect(statementsOutside(migrationOf(`-- A comment.\n${HEAD}create index a on b (c);\n`))).toBeNull();
  });

  it('outside a transaction is split into its statements', () => {
    const sql = `${HEAD}-- Why; and how.\ndrop index concurrently if exists a;\ncreate index concurrently a\n  on b (c); \n-- The end.\n`;
    const statements = statementsOutside(migrationOf(sql))?.map((text) =>
      text.replaceAll(/--.*/g, '').trim().replaceAll(/\s+/g, ' '),
    );
    expect(statements).toEqual([
      'drop index concurrently if exists a',
      'create index concurrently a on b (c)',
    ]);
  });

  it('that builds an index concurrently without the declaration is refused by its name', () => {
    expect(() => statementsOutside(migrationOf('create index CONCURRENTLY a on b (c);'))).toThrow(
      /0001_a\.sql must begin with/,
    );
    expect(statementsOutside(migrationOf('-- Not concurrently.\ncreate index a on b (c);'))).toBeNull();
  });

  it('builds its indexes plainly when a restore runs it in its transaction', () => {
    const inside = sqlInside(migrationOf(`${HEAD}create index concurrently a on b (c);\n`));
    expect(inside).not.toMatch(/concurrently/);
    expect(inside).toMatch(/create index\s+a on b \(c\);/);
    expect(sqlInside(migrationOf('select 1;'))).toBe('select 1;');
  });
});
