import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fields } from './fields.ts';

describe('a field', () => {
  const fields = Fields.parse(
    '{"text":"a","number":1.5,"flag":true,"nothing":null,"object":{"inner":"b"},"list":[{"word":"c"},7],"mixed":[1,"d",null]}',
  );

  it('returns a value of the requested type', () => {
    expect(fields.text('text')).toBe('a');
    expect(fields.number('number')).toBe(1.5);
    expect(fields.seconds('number')).toBe(1_500);
    expect(fields.flag('flag')).toBe(true);
    expect(fields.of('object').text('inner')).toBe('b');
    expect(fields.record('object')).toEqual({ inner: 'b' });
    expect(fields.list('list').map((item) => item.text('word'))).toEqual(['c', '']);
    expect([fields.numbers('mixed'), fields.texts('mixed')]).toEqual([[1], ['d']]);
    expect([fields.has('text'), fields.has('nothing'), fields.has('absent')]).toEqual([true, false, false]);
  });

  it('returns the empty value of the type for a missing field or another type', () => {
    for (const name of ['absent', 'nothing', 'list', 'flag']) {
      expect([name, fields.text(name), fields.number(name), fields.seconds(name)]).toEqual([
        name,
        '',
        null,
        null,
      ]);
      expect([name, fields.record(name)]).toEqual([name, {}]);
    }
    expect([fields.flag('text'), fields.list('text'), fields.texts('object')]).toEqual([false, [], []]);
  });
});

describe('parsing', () => {
  it.each(['null', '7', '"text"', '', '{'])('refuses %j', (text) => {
    expect(() => Fields.parse(text)).toThrow(/JSON/);
  });

  it('never throws on any object, whatever is read', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, name) => {
        const fields = Fields.parse(JSON.stringify(object));
        for (const key of [name, ...Object.keys(object)]) {
          fields.text(key);
          fields.seconds(key);
          fields.record(key);
          expect(fields.list(key).every((item) => typeof item.text(name) === 'string')).toBe(true);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
