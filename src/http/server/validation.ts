import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { errors, type ApiError } from '../../errors.ts';
import { once } from '../../shared/once.ts';
import { schemaProblems } from '../../shared/schema-problems.ts';

/**
 * Keywords that do not validate: `x-rule` is the wording of a broken rule, `x-default` a default that the code applies
 * where it reads the field, `x-values` the known values of an open list; the others belong to OpenAPI.
 */
const DESCRIPTIVE = ['x-rule', 'x-default', 'x-values', 'example'];

function createAjv(coerceTypes: boolean, allErrors = true): Ajv {
  const ajv = new Ajv({
    allErrors,
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

/** One instance each per process: creating one compiles the meta-schemas, which is slow. */
const bodies = once(() => createAjv(false));
const parameters = once(() => createAjv(true));
/** Stops at the first error. */
const largeBodies = once(() => createAjv(false, false));

/**
 * Values in a body up to which every error is collected. Ajv takes microseconds for each error, so that 1 MB of wrong
 * values would hold the thread for seconds: a larger body is refused by its first error alone.
 */
const MAX_CHECKED_VALUES = 2000;

/** Whether a body holds more than `limit` values; stops counting there. */
function holdsMore(value: unknown, limit: number): boolean {
  let left = limit;
  const isOver = (inner: unknown): boolean => {
    left -= 1;
    if (left < 0) return true;
    if (typeof inner !== 'object' || inner === null) return false;
    if (Array.isArray(inner)) return inner.some(isOver);
    const keys = Object.keys(inner);
    return keys.length > left || keys.some((key) => isOver(inner[key as keyof typeof inner]));
  };
  return isOver(value);
}

/** A validator of bodies, compiled at the first body, and for large ones at the first large body. */
function bodyValidator(schema: object): (body: unknown) => readonly ErrorObject[] {
  const full = once((): ValidateFunction => bodies().compile(schema));
  const quick = once((): ValidateFunction => largeBodies().compile(schema));
  return (body) => {
    const validate = holdsMore(body, MAX_CHECKED_VALUES) ? quick() : full();
    return validate(body) ? [] : (validate.errors ?? []);
  };
}

/**
 * Compiles each schema of a route at the route's first request, in a few milliseconds: all of them would be a tenth of a
 * start. Bodies are not coerced; query and path values are text, so numbers and booleans are parsed from them.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const part = httpPart ?? 'body';
    if (part === 'body') {
      const problemsOf = bodyValidator(schema);
      return (value: unknown) => {
        const problems = problemsOf(value);
        return problems.length === 0 ? { value } : { error: new SchemaFailure(part, problems) };
      };
    }
    const validator = once((): ValidateFunction => parameters().compile(schema));
    return (value: unknown) => {
      const validate = validator();
      if (!validate(value)) return { error: new SchemaFailure(part, validate.errors ?? []) };
      const infinite = findInfinite(value);
      return infinite.length === 0 ? { value } : { error: new SchemaFailure(part, infinite) };
    };
  };
}

/** Text like 1e400 parses as Infinity, which `maximum` does not reject. */
function findInfinite(value: unknown): ErrorObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const isInfinite = (inner: unknown): boolean => typeof inner === 'number' && !Number.isFinite(inner);
  return Object.entries(value)
    .filter(([, inner]) => isInfinite(inner))
    .map(([key]) => ({
      keyword: 'type',
      instancePath: `/${key}`,
      schemaPath: '',
      params: { type: 'number' },
    }));
}

/** A `limit` above its maximum is 400 at every endpoint (interface, Errors), unless other parameters are invalid too. */
function limitAbove(found: readonly ErrorObject[]): ApiError | null {
  const [problem] = found;
  const isAbove = found.length === 1 && problem?.keyword === 'maximum' && problem.instancePath === '/limit';
  return isAbove ? errors.limitTooHigh((problem.params as { limit: number }).limit) : null;
}

/** A value that violates its schema; the error handler answers 422, or 400 for a limit that is too high. */
export class SchemaFailure extends Error {
  readonly apiError: ApiError;
  constructor(httpPart: string, found: readonly ErrorObject[]) {
    super('schema validation failed');
    const tooHigh = httpPart === 'querystring' ? limitAbove(found) : null;
    this.apiError =
      tooHigh ?? errors.validationFailed(schemaProblems(found, httpPart === 'body' ? 'body' : 'query'));
  }
}

/** A body check outside a route's own schema. Throws the same 422. */
export function createBodyCheck<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const problemsOf = bodyValidator(schema);
  return (body) => {
    const problems = problemsOf(body);
    if (problems.length === 0) return body as Static<T>;
    throw new SchemaFailure('body', problems).apiError;
  };
}

/** NUL and unpaired surrogates, which PostgreSQL rejects in text. */
// oxlint-disable-next-line no-control-regex
const UNSTORABLE = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** The path of the first string, key or value, that cannot be stored; null if there is none. */
export function findUnstorable(value: unknown, path: string): string | null {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  // Paths are joined on the way back, because a body can hold half a million values.
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      const found = findUnstorable(inner, '');
      if (found !== null)
        return `${path}[${index}]${found === '' || found.startsWith('[') ? '' : '.'}${found}`;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    if (UNSTORABLE.test(key)) return path;
    const found = findUnstorable(value[key as keyof typeof value], '');
    if (found === null) continue;
    const own = path === '' ? key : `${path}.${key}`;
    return `${own}${found === '' || found.startsWith('[') ? '' : '.'}${found}`;
  }
  return null;
}
