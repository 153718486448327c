import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonLines } from './json-lines.ts';

const written = (values: readonly unknown[]): Buffer =>
  Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));

describe('JSON lines', () => {
  it('are the values that were written, in whatever pieces they come', () => {
    const values = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.jsonValue()));
    fc.assert(
      fc.property(values, fc.array(fc.nat(20), { minLength: 1 }), (sent, lengths) => {
        const lines = new JsonLines();
        let left = written(sent);
        for (let n = 0; left.length > 0; n += 1) {
          const length = 1 + (lengths[n % lengths.length] ?? 0);
          lines.add(left.subarray(0, length));
          left = left.subarray(length);
        }
        expect(JSON.stringify(lines.values())).toBe(JSON.stringify(sent));
      }),
    );
  });

  it('refuse a line that is no JSON, and an output that ends within a line', () => {
    const wrong = new JsonLines();
    wrong.add(Buffer.from('{"a":1}\nnot JSON\n{"b":2}\n'));
    expect(() => wrong.values()).toThrow(SyntaxError);
    const cut = new JsonLines();
    cut.add(Buffer.from('{"a":1}\n{"b"'));
    expect(() => cut.values()).toThrow('cut');
  });
});
