import { Type } from 'typebox';
import { IsoTime, LookupId, Moment, nullable, oneOf, Uuid } from '../common/schemas.ts';

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

export const RequestQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'More answers 400.' }),
  ),
  before: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The next_before of the previous page.' }),
  ),
  method: Type.Optional(oneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      example: '/calling/',
      description: 'Text within the path or query, in any case.',
    }),
  ),
  status: Type.Optional(oneOf(STATUS_CLASSES)),
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
  request_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

const entry = {
  entry_id: Uuid,
  at: IsoTime,
  method: Type.String({ example: 'POST' }),
  path: Type.String({ example: '/api/v0/calling/outbound/individual', description: 'With the query.' }),
  status: Type.Integer({ example: 422 }),
  duration_ms: Type.Integer(),
  request_id: Type.String({ description: 'The header x-request-id.' }),
  key: Type.String({ example: 'cw_live_…a1B2', description: 'The masked key.' }),
};

export const RequestPage = Type.Object({
  requests: Type.Array(Type.Object(entry)),
  limit: Type.Integer(),
  next_before: nullable(Type.String({ description: 'The before of the next page; null on the last page.' })),
});

export const RequestParams = Type.Object({ entry_id: LookupId });

export const RequestAnswer = Type.Object({
  request: Type.Object({
    ...entry,
    content_type: nullable(Type.String({ example: 'application/json' })),
    body_bytes: nullable(Type.Integer({ description: 'The header Content-Length.' })),
    body: Type.Unknown({
      description:
        'The JSON that was sent, or the fields of a form with the names of its files. Secrets are placeholders such as <api_key>. null: none, refused before it was read, or not JSON.',
    }),
    response: Type.Unknown({ description: 'The response of a request with status 400 or above, else null.' }),
    notices: Type.Array(Type.String(), {
      description:
        'What the service ignored in the request: unknown query parameters, keys that occur twice.',
      example: ['The endpoint has no parameter call_status and ignored it; did you mean status?'],
    }),
    is_cut: Type.Boolean({
      description: 'Path, body or response was longer than the log keeps; they have only their beginning.',
    }),
  }),
});
