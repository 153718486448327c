import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { errors, type ApiError } from '../errors.ts';
import { once } from '../shared/once.ts';
import { schemaProblems } from '../shared/schema-problems.ts';

/** Keywords of ours that only describe: `x-rule` words a broken pattern, the others belong to OpenAPI. */
const DESCRIPTIVE = ['x-rule', 'example'];

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    coerceTypes,
    useDefaults: true,
    discriminator: true,
    strict: true,
    strictTypes: false,
  });
  addFormats.default(ajv, ['uuid', 'date-time', 'date']);
  for (const keyword of DESCRIPTIVE) ajv.addKeyword(keyword);
  return ajv;
}

/** One of each for the whole process: a compiler reads the rules of schemas themselves before it reads any. */
const bodies = once(() => createAjv(false));
const texts = once(() => createAjv(true));

/**
 * Compiles the routes' schemas, all of them at the start: while calls run nobody waits for a compiler. Bodies are taken
 * at their word: a number is no string. Query and path values arrive as text, so there numbers and booleans are read
 * from it.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const part = httpPart ?? 'body';
    const validate = (part === 'body' ? bodies() : texts()).compile(schema);
    return (value: unknown) => {
      if (!validate(value)) return { error: new SchemaFailure(part, validate.errors ?? []) };
      const endless = part === 'body' ? [] : findEndless(value);
      return endless.length === 0 ? { value } : { error: new SchemaFailure(part, endless) };
    };
  };
}

/** A text like 1e400 is read as an infinite number, which bounds do not hold. */
function findEndless(value: unknown): ErrorObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const isEndless = (inner: unknown): boolean => typeof inner === 'number' && !Number.isFinite(inner);
  return Object.entries(value)
    .filter(([, inner]) => isEndless(inner))
    .map(([key]) => ({
      keyword: 'type',
      instancePath: `/${key}`,
      schemaPath: '',
      params: { type: 'number' },
    }));
}

/** A value that broke its schema; the error handler turns it into a 422. */
export class SchemaFailure extends Error {
  readonly apiError: ApiError;
  constructor(httpPart: string, found: readonly ErrorObject[]) {
    super('schema validation failed');
    this.apiError = errors.validationFailed(schemaProblems(found, httpPart === 'body' ? 'body' : 'query'));
  }
}

/** A body check made outside a route's own schema, compiled when it is first needed: throws the same 422. */
export function createBodyCheck<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const validator = once((): ValidateFunction<Static<T>> => bodies().compile<Static<T>>(schema));
  return (body) => {
    const validate = validator();
    if (validate(body)) return body;
    throw new SchemaFailure('body', validate.errors ?? []).apiError;
  };
}

/** NUL and unpaired surrogates: the database stores neither. */
// oxlint-disable-next-line no-control-regex
const UNSTORABLE = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Path of the first text, key or value, that cannot be stored; null when all can. */
export function findUnstorable(value: unknown, path: string): string | null {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    if (UNSTORABLE.test(key)) return path;
    const joined = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = findUnstorable(inner, joined);
    if (found !== null) return found;
  }
  return null;
}
