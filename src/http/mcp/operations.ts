import type { FastifyInstance } from 'fastify';
import type { Schema } from '../pages/reference/document.ts';

/** The arguments of a tool call, as the client sent them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** An operation of the API as a tool sees it. */
export interface ApiOperation {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** With `:name` for each parameter of the path. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly params: Schema;
  readonly query: Schema;
  /** Null: the operation takes no body. */
  readonly body: Schema | null;
  /** The shapes of a body that the route checks in two steps. */
  readonly shapes: readonly Schema[];
}

/** The request that an operation is sent as. */
export interface OperationRequest {
  readonly method: ApiOperation['method'];
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** An argument that no request can carry; the message names it and the rule. */
export class ArgumentError extends Error {}

const NOTHING: Schema = {};
const ID = /^[\w-]{1,200}$/;
/** Keywords that only this service reads. */
const OWN_KEYWORDS = new Set(['x-rule', 'x-default', 'x-values', 'discriminator', 'example', '$id']);

/** Collects the operations of the routes that are registered from here on, by operationId. */
export function collectOperations(app: FastifyInstance): ReadonlyMap<string, ApiOperation> {
  const operations = new Map<string, ApiOperation>();
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    // Every GET route also answers HEAD.
    if (schema?.operationId === undefined || method === 'HEAD') return;
    const documented: Schema | undefined = config?.documentedBody;
    operations.set(schema.operationId, {
      method: [method].flat()[0] as ApiOperation['method'],
      path: url,
      summary: schema.summary ?? '',
      description: schema.description ?? '',
      params: schema.params ?? NOTHING,
      query: schema.querystring ?? NOTHING,
      body: (schema.body as Schema | undefined) ?? null,
      shapes: documented?.oneOf ?? [],
    });
  });
  return operations;
}

/** The arguments of an operation as one JSON schema: the parameters of path and query, and the fields of the body. */
export function inputSchemaOf({ params, query, body }: ApiOperation): object {
  const parts = [params, query, body ?? NOTHING];
  return plain({
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)) as object,
    required: [...new Set(parts.flatMap(({ required = [] }) => required))],
  });
}

/** The schema without the keywords of this service, which some clients refuse. */
export const plain = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (OWN_KEYWORDS.has(key) ? undefined : value)),
  ) as object;

/** Sorts the arguments into path, query and body. Throws `ArgumentError`. */
export function requestOf({ method, path, query, body }: ApiOperation, given: Arguments): OperationRequest {
  const left = new Map(Object.entries(given));
  const place = path.replaceAll(/:(\w+)/g, (_part, name: string) => {
    const id = left.get(name);
    left.delete(name);
    if (typeof id !== 'string' || !ID.test(id)) throw new ArgumentError(`${name} must be an id`);
    return id;
  });
  const parameters = new URLSearchParams();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of left) {
    if (body !== null && query.properties?.[name] === undefined) fields[name] = value;
    else if (value !== null) parameters.set(name, textOf(name, value));
  }
  const search = parameters.toString();
  return { method, url: search === '' ? place : `${place}?${search}`, body: body === null ? null : fields };
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new ArgumentError(`${name} must be text, a number, true or false`);
}
