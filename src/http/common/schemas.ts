import { Type, type TSchema } from 'typebox';

export { e164, LookupId, mapOf, Moment, nullable, oneOf, Uuid } from '../../shared/schema-parts.ts';

export const IsoTime = Type.String({ format: 'date-time', example: '2026-01-05T10:00:00.000Z' });

export const ErrorBody = Type.Object(
  {
    message: Type.String({
      description: 'The failure; for a field, its full path and the rule it breaks.',
    }),
    code: Type.Optional(Type.String({ example: 'VALIDATION_FAILED' })),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'Every invalid field.',
      }),
    ),
    hint: Type.Optional(
      Type.String({
        description: 'Of a 401: which key the endpoint takes, and in which header.',
        example: 'Send the workspace key in the header X-API-KEY',
      }),
    ),
    position: Type.Optional(
      Type.Object(
        { line: Type.Integer(), column: Type.Integer(), byte: Type.Integer() },
        { description: 'Where the body stops being valid JSON; line and column from 1, byte from 0.' },
      ),
    ),
    limit_kind: Type.Optional(
      Type.String({
        description: 'What a 429 counts: read, write, dial, probe, wrong_keys, uploads and others.',
        example: 'dial',
      }),
    ),
    limit_bytes: Type.Optional(Type.Integer({ description: 'Of a 413: the longest body, in bytes.' })),
    allow: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a 405: the methods of the path, as in the header Allow.',
      }),
    ),
    error: Type.Optional(Type.String({ description: 'The reason of a 429, as in message.' })),
    status: Type.Optional(Type.String()),
    request_id: Type.Optional(Type.String({ description: 'Also in the header x-request-id.' })),
  },
  { $id: 'Error', description: 'Every failed request answers with this body.' },
);

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request conflicts with the current state, or is not JSON.',
  401: 'Key missing, invalid or rotated.',
  402: 'The balance does not cover the call.',
  403: 'The key or workspace may not do this.',
  404: 'Not found in this workspace.',
  412: 'The agent was changed since it was read; the message names what changed.',
  409: 'Conflict: the same request is running, or the resource is in use.',
  413: 'The body is too large; the message names the limit.',
  415: 'The endpoint takes another Content-Type, which the message names.',
  416: 'The range lies outside the file.',
  422: 'A field is missing or failed validation.',
  429: 'Rate limit hit; see Retry-After.',
  500: 'Unexpected failure of the service.',
  503: 'Not ready; retry with backoff.',
};
const MESSAGES: Readonly<Record<number, string>> = {
  401: 'Invalid credentials',
  402: 'Your current balance is insufficient to initiate this call!',
  404: 'Agent not found',
  422: 'agent_name is required',
  500: 'An unexpected error occurred. Please try again later.',
};

/** The `response` part of a route: its 200 body, its errors, and the errors of every keyed route. */
export function answers<T extends TSchema>(ok: T, ...statuses: readonly number[]) {
  return { 200: ok, ...failures(...statuses) };
}

/** The errors only, for a route whose 200 is not JSON. */
export function failures(...statuses: readonly number[]): Record<number, TSchema> {
  return Object.fromEntries([...statuses, 401, 429, 500, 503].map((status) => [status, failure(status)]));
}

const ANY_FAILURE = Type.Ref('Error#');
const failure = (status: number) => ({
  description: REASONS[status] ?? 'Failure.',
  content: {
    'application/json': {
      schema: ANY_FAILURE,
      ...(MESSAGES[status] === undefined
        ? {}
        : { examples: { example: { value: { message: MESSAGES[status] } } } }),
    },
  },
});

export const limit = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, description });
export const PageCursor = Type.String({
  minLength: 1,
  maxLength: 60,
  description:
    'The next_cursor of the previous page, in place of offset: pages by cursor neither repeat nor skip an entry while new ones arrive.',
});
export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'The cursor of the next page; null on the last page.',
});
export const Offset = Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 });

export const IfMatchHeader = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 1000,
      example: '*',
      description:
        'The ETag of GET /agent/{agent_id}: 412 if the agent was changed since, naming what changed. Absent, or *: no check.',
    }),
  ),
});

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Up to 255 characters. A request with the same key, path and body within 24 hours replays the first response, with Idempotency-Replayed: true; 409 while the first is running, 422 with another path or body.',
    }),
  ),
});
