import { expect, it } from 'vitest';
import { csvOf } from './sheet.ts';

const DAYS = { name: 'Days', columns: ['day', 'calls'], rows: [['2026-01-05', 3]] };

it('is the plain table for one sheet', () => {
  expect(csvOf([DAYS])).toBe('day,calls\r\n2026-01-05,3\r\n');
});

it('names each of several sheets, with an empty line between them', () => {
  const empty = { name: 'Numbers', columns: ['number'], rows: [] };
  expect(csvOf([DAYS, empty])).toBe('Days\r\nday,calls\r\n2026-01-05,3\r\n\r\nNumbers\r\nnumber\r\n');
});

it('leaves numbers and telephone numbers as they are, and guards texts that a spreadsheet would calculate', () => {
  const rows = [
    [-0.5, '+14155550100', null],
    ['=1+1', '-2', 'a "b", c'],
  ];
  expect(csvOf([{ name: 'x', columns: ['a', 'b', 'c'], rows }])).toBe(
    `a,b,c\r\n-0.5,+14155550100,\r\n'=1+1,'-2,"a ""b"", c"\r\n`,
  );
});
