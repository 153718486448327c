import * as fc from 'fast-check';
import type { Schema } from '../../../src/http/pages/reference/document.ts';

type ByName = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Generates values that a schema allows. `named` supplies fields whose meaning the schema does not express. */
export function arbitraryOf(schema: Schema, name = '', named: ByName = {}): fc.Arbitrary<any> {
  const special = named[name];
  if (special !== undefined) return special;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined)
    return fc.oneof(...variants.map((variant) => arbitraryOf(variant, name, named)));
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.[0] ?? 'string');
  switch (type) {
    case 'object':
      return objects(schema, named);
    case 'array':
      return lists(schema, name, named);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 1_000_000) });
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return texts(schema, name);
  }
}

function objects(schema: Schema, named: ByName): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {});
  const { additionalProperties: more } = schema;
  if (fields.length === 0 && typeof more === 'object') {
    return fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), arbitraryOf(more, '', named), {
      maxKeys: 3,
      minKeys: 1,
    });
  }
  const model = Object.fromEntries(fields.map(([key, inner]) => [key, arbitraryOf(inner, key, named)]));
  const requiredKeys = [...(schema.required ?? [])].filter((key) => key in model);
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

function lists(schema: Schema, name: string, named: ByName): fc.Arbitrary<unknown> {
  const entry = arbitraryOf(schema.items ?? {}, name, named);
  const bounds = { minLength: schema.minItems ?? 0, maxLength: Math.max(schema.minItems ?? 0, 3) };
  return schema.items?.enum === undefined ? fc.array(entry, bounds) : fc.uniqueArray(entry, bounds);
}

function numbers({ minimum = 0, maximum = 1000 }: Schema): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 100 }).map((share) => minimum + ((maximum - minimum) * share) / 100);
}

const CHARACTERS = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...'abcdefghij XYZ0123456789.,-'.split('')) },
  { weight: 1, arbitrary: fc.constantFrom('é', 'ह', '田', '👩', '"', '\\', "'", '<') },
);

function texts(schema: Schema, name: string): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid({ version: 7 });
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, 'u');
    const [min, max] = [schema.minLength ?? 0, schema.maxLength ?? 40];
    // JSON Schema counts lengths in code points.
    const lengthOf = (text: string): number => Array.from(text).length;
    return fc.stringMatching(pattern).filter((text) => lengthOf(text) >= min && lengthOf(text) <= max);
  }
  const most = Math.min(schema.maxLength ?? 40, 40);
  const least = Math.max(schema.minLength ?? 0, 1);
  // At least one visible character, because some fields refuse blank text.
  return fc
    .array(CHARACTERS, { minLength: Math.max(0, least - 1), maxLength: most - 1 })
    .map((parts) => `${name === '' ? 'x' : (name[0] ?? 'x')}${parts.join('')}`);
}
