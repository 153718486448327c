import type { Static, TSchema } from 'typebox';
import { fieldsOf, ownName, renamed, type Field, type Names, type Own } from './wire-names.ts';

/** The parts of a JSON schema that say where fields have names. */
interface SchemaParts {
  readonly properties?: Readonly<Record<string, SchemaParts>>;
  readonly items?: SchemaParts;
  readonly additionalProperties?: SchemaParts | boolean;
  readonly anyOf?: readonly SchemaParts[];
  readonly oneOf?: readonly SchemaParts[];
}

/** Reads values that fit the schema: the fields that it names get their own names, the keys of maps stay. */
export function wireInput<S extends TSchema>(schema: S): (wire: Static<S>) => Own<Static<S>> {
  const names = namesOf(schema);
  return (wire) => renamed(wire, names) as Own<Static<S>>;
}

function namesOf(schema: SchemaParts): Names | null {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const fields = Object.entries(properties).map(
    ([wire, inner]) => [wire, { name: ownName(wire), inside: namesOf(inner) }] as const,
  );
  const values = typeof additionalProperties === 'object' ? namesOf(additionalProperties) : null;
  const own =
    fields.length + (values === null ? 0 : 1) === 0 ? null : { fields: fieldsOf(fields), each: values };
  const below = [...anyOf, ...oneOf, ...(items === undefined ? [] : [items])].map(namesOf);
  return below.reduce(merged, own);
}

/** The names of values that fit either schema. */
function merged(a: Names | null, b: Names | null): Names | null {
  if (a === null || b === null) return a ?? b;
  const fields = new Map<string, Field | null>(a.fields);
  for (const [key, field] of b.fields) {
    const known = fields.get(key);
    fields.set(
      key,
      field === null || known == null
        ? (known ?? field)
        : { ...field, inside: merged(known.inside, field.inside) },
    );
  }
  return { fields, each: merged(a.each, b.each) };
}
