import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RECORDS, recordsReference } from '../../scripts/records-reference.ts';
import { REGISTER } from '../../src/store/privacy/register/register.ts';
import { NOT_PERSONAL } from './columns-without-personal-data.ts';

/** `table.column` of every column of the database, from the generated types. */
function columnsOfTables(): string[] {
  const text = readFileSync(new URL('../../src/store/tables.ts', import.meta.url), 'utf8');
  const [interfaces = '', tables = ''] = text.split('export interface DB {');
  const tableOf = new Map(
    [...tables.matchAll(/^ {2}(\w+): (\w+);$/gm)].map(([, table, type]) => [type, table]),
  );
  return [...interfaces.matchAll(/export interface (\w+) \{\n(.*?)\n\}/gs)].flatMap(([, type, body = '']) =>
    tableOf.has(type)
      ? [...body.matchAll(/^ {2}(\w+):/gm)].map(([, column]) => `${tableOf.get(type)}.${column}`)
      : [],
  );
}

const registered = Object.entries(REGISTER).flatMap(([table, { columns }]) =>
  Object.keys(columns).map((column) => `${table}.${column}`),
);
const others = Object.entries(NOT_PERSONAL).flatMap(([table, columns]) =>
  columns.split(' ').map((column) => `${table}.${column}`),
);

describe('the register of personal data', () => {
  it('has every column of the database, or the list of columns without personal data has it', () => {
    const known = new Set([...registered, ...others]);
    const columns = columnsOfTables();
    expect(columns.length).toBeGreaterThan(500);
    expect(columns.filter((column) => !known.has(column))).toEqual([]);
  });

  it('and the list name no column twice, and none that the database does not have', () => {
    const columns = new Set(columnsOfTables());
    const named = [...registered, ...others];
    expect(named.filter((column) => !columns.has(column))).toEqual([]);
    expect(named.filter((column, at) => named.indexOf(column) !== at)).toEqual([]);
  });

  it('is the table of docs/records.md, as `node scripts/records-reference.ts` writes it', () => {
    const text = readFileSync(RECORDS, 'utf8');
    // The formatter pads the cells.
    const cells = (from: string): string => from.replaceAll(/ *\| */g, '|').replaceAll(/-{2,}/g, '-');
    expect(cells(recordsReference(text))).toBe(cells(text));
  });
});
