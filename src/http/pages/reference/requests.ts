import { failures } from '../../common/schemas.ts';
import type { MediaType, OpenApi, Operation, Parameter } from './document.ts';

type Body = NonNullable<Operation['requestBody']>;

/** A request without a body means one without fields. */
const OPTIONAL_BODIES = new Set(['exportCalls']);

/** Documents what holds for requests of every route: refusals of their parameters, form encodings, optional bodies. */
export function withRequests(document: OpenApi): OpenApi {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, completed(operation)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenApi['paths'] };
}

function completed(operation: Operation): Operation {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const isChecked = parameters.length > 0 || requestBody !== undefined;
  const hasLimit = parameters.some(({ name, schema }) => name === 'limit' && schema.maximum !== undefined);
  const refusals = [...(isChecked ? [422] : []), ...(hasLimit ? [400] : [])];
  const documented = refusalsOf(refusals);
  return {
    ...operation,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(bounded) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...encoded(requestBody), required: !OPTIONAL_BODIES.has(operationId) } }),
    responses: {
      ...responses,
      ...Object.fromEntries(
        refusals.filter((status) => !(status in responses)).map((status) => [status, documented[status]!]),
      ),
    },
  };
}

/** As routes declare them, with references into the finished document. */
const refusalsOf = (statuses: readonly number[]): Operation['responses'] =>
  JSON.parse(
    JSON.stringify(failures(...statuses)).replaceAll('"Error#"', '"#/components/schemas/Error"'),
  ) as Operation['responses'];

/** The key is checked behind the rate limits, so its schema is no part of the route. */
const bounded = (parameter: Parameter): Parameter =>
  parameter.name === 'idempotency-key'
    ? { ...parameter, schema: { ...parameter.schema, minLength: 1, maxLength: 255 } }
    : parameter;

/** Objects in forms are JSON; so are lists, whose encoding OpenAPI would apply to each item. */
function encoded(body: Body): Body {
  const content = Object.entries(body.content).map(([type, media]) => [
    type,
    type === 'multipart/form-data' ? { ...media, encoding: encodingOf(media) } : media,
  ]);
  return { ...body, content: Object.fromEntries(content) as Body['content'] };
}

const encodingOf = ({ schema }: MediaType): object =>
  Object.fromEntries(
    Object.entries(schema?.properties ?? {})
      .filter(([, { type }]) => type === 'object')
      .map(([name]) => [name, { contentType: 'application/json' }]),
  );
