import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvField } from './csv-field.ts';

/** Parses one line of CSV by RFC 4180. */
function parse(text: string): string[] {
  const fields: string[] = [];
  let rest = text;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(,|$)/.exec(rest);
    const plain = /^([^",]*)(,|$)/.exec(rest);
    const found = quoted ?? plain;
    if (found === null) throw new Error(`no field: ${rest}`);
    fields.push(quoted === null ? found[1]! : found[1]!.replaceAll('""', '"'));
    rest = rest.slice(found[0].length);
    if (found[2] === '') return fields;
  }
}

describe('a field of the export', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['+14155550123', '+14155550123'],
    ['+1415555012x', "'+1415555012x"],
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1', `'  =1`],
    ['\t=1', `"'\t'=1"`],
    ['\uFF1D1', "'\uFF1D1"],
    ['{"a":"=1"}', '"{""a"":""=1""}"'],
    ['x;=HYPERLINK(A1);y', `"x;'=HYPERLINK(A1);y"`],
    ['x\t@SUM(A1)', `"x\t'@SUM(A1)"`],
    ['x\r\n \uFF0B1', `"x\r\n '\uFF0B1"`],
    ['+14155550123;+14155550124', `"'+14155550123;'+14155550124"`],
    ['x;"=1"', `"x;""'=1"""`],
    ['x; y = 1', '"x; y = 1"'],
  ])('%j is written %j', (value, written) => {
    expect(csvField(value)).toBe(written);
  });

  it('round-trips any text, except apostrophes', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[=+\-@ \t"',;\r\n]{1,4}\w{0,3}$/),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (values) => {
        const read = parse(values.map(csvField).join(','));
        expect(read).toHaveLength(values.length);
        const bare = (cell = ''): string => cell.replaceAll("'", '');
        values.forEach((value, index) => expect(bare(read[index])).toBe(bare(value)));
        for (const field of read) {
          expect(/(^|[;\t\r\n])\s*[=+\-@]/.test(field) && !/^\+\d+$/.test(field)).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
