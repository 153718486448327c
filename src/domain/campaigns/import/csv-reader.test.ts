import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CsvReader } from './csv-reader.ts';

const records = (text: string, size: number, maxRecordChars = 10_000): (readonly string[])[] => {
  const reader = new CsvReader(',', { maxRecordChars });
  const cells: (readonly string[])[] = [];
  for (let at = 0; at < text.length; at += size) {
    for (const record of reader.push(text.slice(at, at + size))) cells.push(record.cells);
  }
  for (const record of reader.end()) cells.push(record.cells);
  return cells.filter((row) => row.some((cell) => cell !== ''));
};

describe('the CSV reader', () => {
  const folder = join(dirname(createRequire(import.meta.url).resolve('csv-spectrum')), 'csvs');
  it.each(readdirSync(folder))('parses %s of csv-spectrum, cut at any position', (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const json = readFileSync(join(folder, '../json', file.replace('.csv', '.json')), 'utf8');
    // The suite's JSON for this file differs in one number and holds a single object instead of a list.
    const expected = (
      file === 'location_coordinates.csv'
        ? [{ ...(JSON.parse(json) as object), 'Contact Phone Number': '2095257564' }]
        : JSON.parse(json)
    ) as Record<string, string>[];
    for (const size of [1, 2, 3, 7, 1000]) {
      const [header = [], ...rows] = records(text, size);
      const found = rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));
      expect([size, found]).toEqual([size, expected]);
    }
  });

  it('refuses rows over the length limit and quotes that make row boundaries ambiguous', () => {
    expect(() => records(`a,"${'x'.repeat(30_000)}`, 1000)).toThrow(/longest row|never closed/);
    expect(() => records('x'.repeat(30_000), 1000)).toThrow('longer than allowed');
    expect(() => records('a,"b\nc"d\n', 3)).toThrow('span lines');
    expect(records('a,b"c",d""\n', 2)).toEqual([['a', 'b"c"', 'd""']]);
  });
});
