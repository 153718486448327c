import { openApiText } from '../../../scripts/openapi.ts';
import { inlined } from '../../../src/http/pages/reference/named-schemas.ts';
import {
  endpointsOf,
  type Endpoint,
  type OpenApi,
  type Schema,
} from '../../../src/http/pages/reference/document.ts';

/** One request shape of an endpoint; an endpoint with several bodies (editAgent) has one per body. */
export interface Shape {
  /** `placeCall`, `editAgent:edit_voice`. */
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly body: Schema | null;
  readonly isForm: boolean;
}

/** One field of a request. */
export interface Field {
  readonly place: 'path' | 'query' | 'body';
  /** Path of the field; `[]` is any list entry, `{}` a map key. */
  readonly path: readonly string[];
  readonly schema: Schema;
  /** Enclosing fields that have alternative shapes (oneOf). */
  readonly choices: readonly string[];
  /** The alternative that contains the field, and its path. */
  readonly variant?: { readonly path: readonly string[]; readonly schema: Schema };
}

const joined = (path: readonly string[]): string => path.join('.').replaceAll('.[]', '[]');
export const fieldName = (field: Field): string => joined(field.path);

/** Every request shape of every endpoint for keys, derived from the routes. */
export async function readShapes(): Promise<Shape[]> {
  const document = inlined(JSON.parse(await openApiText()) as OpenApi);
  const keyed = endpointsOf(document).filter(({ path }) => !path.startsWith('/dashboard-api/'));
  return keyed.flatMap((endpoint) => {
    const content = endpoint.requestBody?.content ?? {};
    const isForm = content['multipart/form-data'] !== undefined;
    const schema = (content['application/json'] ?? content['multipart/form-data'])?.schema ?? null;
    const key = endpoint.operationId;
    const shape = { endpoint, isForm };
    if (schema?.oneOf === undefined) return [{ key, body: schema, ...shape }];
    return schema.oneOf.map((body) => ({ key: `${key}:${body.title ?? ''}`, body, ...shape }));
  });
}

const ID_NAME = /^(id|.*_ids?|from_numbers?|file|.*_to_remove|allocations)$/;
/** Fields named like IDs that are not owned by a workspace: voices, ambient tracks and models are global, Meta owns phone_number_id and business_account_id, and
 * carriers in India give dlt_template_id. */
const SHARED = new Set([
  'voice_id',
  'secondary_voice_id',
  'audio_id',
  'model_id',
  'phone_number_id',
  'business_account_id',
  'dlt_template_id',
]);

/** Every field of the request that may contain an ID. */
export function idFields(shape: Shape): Field[] {
  return fieldsOf(shape).filter(({ path, schema, place }) => {
    const name = path.findLast((part) => part !== '[]' && part !== '{}') ?? '';
    if (SHARED.has(name) || schema.format === 'binary') return false;
    // The author of a flow names its nodes.
    if (path.includes('flow')) return false;
    if (place !== 'path' && name === 'file') return false;
    const isLeaf = schema.type === 'string' || path.at(-1) === '{}';
    return isLeaf && (schema.format === 'uuid' || ID_NAME.test(name));
  });
}

/** Every text field of the request, map keys included. */
export const textFields = (shape: Shape): Field[] =>
  fieldsOf(shape).filter(({ schema, path }) => schema.type === 'string' && path.at(-1) !== '{}');

export function fieldsOf({ endpoint, body }: Shape): Field[] {
  const parameters = (endpoint.parameters ?? []).flatMap(({ in: place, name, schema }): Field[] =>
    place === 'header' ? [] : [{ place, path: [name], schema, choices: [] }],
  );
  return [...parameters, ...(body === null ? [] : within(body, [], []))];
}

function within(schema: Schema, path: readonly string[], choices: readonly string[]): Field[] {
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (variants !== undefined) {
    const around = [...choices, joined(path)];
    const own: Field[] = path.length === 0 ? [] : [{ place: 'body', path, schema, choices }];
    const isAtKey = path.length === 0 || path.includes('{}');
    return unique([
      ...own,
      ...variants.flatMap((schema) =>
        within(schema, path, around).map((field) =>
          isAtKey || schema.type !== 'object' ? field : { variant: { path, schema }, ...field },
        ),
      ),
    ]);
  }
  const own: Field[] = path.length === 0 ? [] : [{ place: 'body', path, schema, choices }];
  const named = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
    within(inner, [...path, key], choices),
  );
  const items = schema.items === undefined ? [] : within(schema.items, [...path, '[]'], choices);
  const entries: Field[] =
    typeof schema.additionalProperties === 'object'
      ? [{ place: 'body', path: [...path, '{}'], schema: schema.additionalProperties, choices }]
      : [];
  return [...own, ...named, ...items, ...entries];
}

function unique(fields: readonly Field[]): Field[] {
  const seen = new Set<string>();
  return fields.filter(({ path, schema }) => {
    const key = `${path.join('.')} ${String(schema.type)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The value with `leaf` at `path`: in a list at its first entry; `{}` renames the first key of a map. */
export function withValue(value: unknown, path: readonly string[], leaf: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return leaf;
  if (head === '[]') {
    const list = Array.isArray(value) ? (value as unknown[]) : [];
    return [withValue(list[0], rest, leaf), ...list.slice(1)];
  }
  const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  if (head === '{}') return { [String(leaf)]: Object.values(object)[0] ?? 0 };
  return { ...object, [head]: withValue(object[head], rest, leaf) };
}

/** A value that the schema allows: its example, first alternative or minimum. */
export function sampleOf(schema: Schema, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const variant = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0];
  if (variant !== undefined) return sampleOf(variant, name);
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.[0] ?? 'string');
  switch (type) {
    case 'object': {
      const needed = Object.entries(schema.properties ?? {}).filter(([key]) =>
        schema.required?.includes(key),
      );
      return Object.fromEntries(needed.map(([key, inner]) => [key, sampleOf(inner, key)]));
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => sampleOf(schema.items ?? {}, name));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, Math.min(1, schema.maximum ?? 1));
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return schema.format === 'uuid' ? '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10' : `some ${name}`;
  }
}
