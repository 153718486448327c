import { Type, type Static, type TSchema } from 'typebox';

/** `HH:MM`, 24-hour, zero-padded. */
export const Time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  'x-rule': 'must be HH:MM, 24-hour, zero-padded',
  example: '09:00',
});

export const Uuid = Type.String({ format: 'uuid', 'x-rule': 'must be a UUID' });
/** An id a client sends to be looked up: one that is no UUID names nothing, like an unknown one. */
export const LookupId = Type.String({
  minLength: 1,
  maxLength: 200,
  example: '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10',
});
export const IsoTime = Type.String({ format: 'date-time', example: '2026-01-05T10:00:00.000Z' });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** A string out of a fixed list. */
export const oneOf = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options });

/** An object of any keys, line ends in them included: the pattern of `Type.Record` would let those pass unchecked. */
export const mapOf = <T extends TSchema>(value: T, options: object = {}) =>
  Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: value, ...options });

export const ErrorBody = Type.Object(
  {
    message: Type.String({
      description: 'What went wrong; for a field, its full path and the rule it breaks.',
    }),
    code: Type.Optional(Type.String({ example: 'VALIDATION_FAILED' })),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'Every field at fault.',
      }),
    ),
    error: Type.Optional(Type.String({ description: 'The reason of a 429, as in message.' })),
    status: Type.Optional(Type.String()),
    request_id: Type.Optional(Type.String({ description: 'Also in the header x-request-id.' })),
  },
  { $id: 'Error', description: 'Every failed request answers with this body.' },
);

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is invalid in the state things are in, or is not JSON.',
  401: 'Key missing, invalid or rotated.',
  402: 'The balance does not cover the call.',
  403: 'The key or workspace may not do this.',
  404: 'Not found in this workspace.',
  409: 'The same request is being processed.',
  413: 'The body is too large.',
  415: 'Content-Type is not application/json.',
  416: 'The range lies outside the file.',
  422: 'A field is missing or failed validation.',
  429: 'Rate limit hit; see Retry-After.',
  500: 'Unexpected failure on our side.',
  503: 'Not ready; retry with backoff.',
};
const MESSAGES: Readonly<Record<number, string>> = {
  401: 'Invalid credentials',
  402: 'Your current balance is insufficient to initiate this call!',
  404: 'Agent not found',
  422: 'agent_name is required',
  500: 'An unexpected error occurred. Please try again later.',
};

/** The `response` part of a route: its 200 body and the errors it answers beside those every keyed route has. */
export function answers<T extends TSchema>(ok: T, ...statuses: readonly number[]) {
  return { 200: ok, ...failures(...statuses) };
}

/** The error answers alone, for a route whose 200 is no JSON. */
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
export const Offset = Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 });

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Up to 255 characters. The same key and body within 24 hours answers what the first request answered, with Idempotency-Replayed: true; 409 while the first is running, 422 with another body.',
    }),
  ),
});
