import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { schemaProblems } from './schema-problems.ts';

function problems(schema: object, value: unknown): string[] {
  const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: false });
  ajv.addKeyword('x-rule');
  const validate = ajv.compile(schema);
  validate(value);
  return schemaProblems(validate.errors ?? [], 'body').map((p) => `${p.field} ${p.message}`);
}
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

it.each<[string, object, unknown, string[]]>([
  ['a missing field', object({}, { required: ['a', 'b'] }), {}, ['a is required', 'b is required']],
  ['a missing inner field', object({ a: object({}, { required: ['b'] }) }), { a: {} }, ['a.b is required']],
  ['an unknown field', object({}, { additionalProperties: false }), { x: 1 }, ['x is not a known field']],
  ['a wrong type', object({ a: { type: 'integer' } }), { a: 1.5 }, ['a must be an integer']],
  ['the whole value', object({}), 'x', ['body must be an object']],
  [
    'a list entry',
    object({ a: { type: 'array', items: { type: 'string' } } }),
    { a: ['x', 1] },
    ['a[1] must be a string'],
  ],
  [
    'an own rule',
    object({ a: { type: 'string', pattern: '^x', 'x-rule': 'must be ex' } }),
    { a: 'y' },
    ['a must be ex'],
  ],
  [
    'bounds',
    object({ a: { minimum: 1 }, b: { maxLength: 1 } }),
    { a: 0, b: 'xx' },
    ['a must be at least 1', 'b must be at most 1 character long'],
  ],
  ['an empty text', object({ a: { type: 'string', minLength: 1 } }), { a: '' }, ['a must not be empty']],
  ['a fixed list', object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, ['a must be one of x, y']],
  [
    'a nullable number',
    object({ a: { anyOf: [{ type: 'number', maximum: 1 }, { type: 'null' }] } }),
    { a: 2 },
    ['a must be at most 1'],
  ],
  [
    'a nullable text',
    object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    { a: 2 },
    ['a must be a string'],
  ],
  [
    'a union with a rule',
    object({
      a: {
        'x-rule': 'must be one or many',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
    }),
    { a: [1] },
    ['a must be one or many'],
  ],
  [
    'a name with a slash',
    object({ a: { type: 'object', additionalProperties: { type: 'string' } } }),
    { a: { 'x/~y': 1 } },
    ['a.x/~y must be a string'],
  ],
])('words %s', (_what, schema, value, expected) => {
  expect(problems(schema, value)).toEqual(expected);
});
