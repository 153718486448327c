import type { OpenApi, Operation } from './document.ts';

/** Response headers of the API, which components declare once. */
const HEADERS = {
  'x-request-id': [
    'string',
    'The id of the request, also in the request log; a valid one of the client is kept.',
  ],
  'Retry-After': ['integer', 'Seconds until the request may be sent again.'],
  'RateLimit-Limit': ['integer', 'Requests of this class that a workspace may send in a minute.'],
  'RateLimit-Remaining': ['integer', 'Requests that are left in this minute.'],
  'RateLimit-Reset': ['integer', 'Seconds until the count begins again.'],
  'Idempotency-Replayed': [
    'boolean',
    'True: the stored response of an earlier request with this Idempotency-Key.',
  ],
  'X-Unknown-Parameters': ['string', 'Query parameters that the endpoint does not have and ignored.'],
  'X-Duplicate-Keys': ['string', 'Keys that occur twice in an object of the body; the last value counted.'],
} as const;
type Name = keyof typeof HEADERS;

const LIMITED: readonly Name[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Declares the headers of every response below /api/. */
export function withHeaders(document: OpenApi): OpenApi {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    path.startsWith('/api/')
      ? Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [method, declared(operation)]),
        )
      : methods,
  ]);
  const headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, [type, description]]) => [name, { description, schema: { type } }]),
  );
  return {
    ...document,
    paths: Object.fromEntries(paths) as OpenApi['paths'],
    components: { ...document.components, headers },
  } as OpenApi;
}

function declared(operation: Operation): Operation {
  const names = new Set((operation.parameters ?? []).map((p) => p.name.toLowerCase()));
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const isSuccess = status.startsWith('2');
    const own: Name[] = ['x-request-id'];
    if (isSuccess || status === '429') own.push(...LIMITED);
    if (status === '429' || status === '503') own.push('Retry-After');
    if (isSuccess && names.has('idempotency-key')) own.push('Idempotency-Replayed');
    if (isSuccess) own.push('X-Unknown-Parameters');
    if (isSuccess && operation.requestBody !== undefined) own.push('X-Duplicate-Keys');
    const headers = Object.fromEntries(own.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
    return [status, { ...response, headers }];
  });
  return { ...operation, responses: Object.fromEntries(responses) as Operation['responses'] };
}
