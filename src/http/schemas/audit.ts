import { Type } from 'typebox';
import { IsoTime, mapOf, nullable, Uuid } from './common.ts';

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));
const moment = Type.Optional(
  Type.String({
    maxLength: 40,
    example: '2026-01-05',
    description: 'A date (the whole day, UTC) or an ISO 8601 time with offset.',
  }),
);

export const AuditQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 50, description: 'At most 200; more answers 400.' }),
  ),
  before: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'next_before of the page before this one.' }),
  ),
  start_date: moment,
  end_date: moment,
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 200, example: 'placeCall' })),
  actor: text,
  request_id: text,
  object_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Any id an entry names: a call, an agent …' }),
  ),
});

export const AuditPage = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Uuid,
      at: IsoTime,
      actor: Type.Object({
        type: Type.String({
          example: 'api_key',
          description: 'api_key, user, signed_link, or operator: the provision file.',
        }),
        name: Type.String({
          example: 'cw_live_…a1B2',
          description:
            'A key by its first and last characters; in the log of a child workspace, that of its parent too.',
        }),
      }),
      action: Type.String({
        example: 'placeCall',
        description: 'The operationId of the endpoint, or provision.',
      }),
      method: Type.String({ example: 'POST' }),
      route: Type.String({ example: '/api/v0/calling/outbound/individual' }),
      status: Type.Integer({ example: 200, description: 'What the request was answered with.' }),
      objects: mapOf(Type.Unknown(), {
        description:
          'Ids the request was about; nothing else of its body. Of the provision file: what it changed.',
      }),
      request_id: Type.String(),
      address: nullable(Type.String({ description: 'Where the request came from.' })),
    }),
  ),
  limit: Type.Integer(),
  next_before: nullable(Type.String({ description: 'before of the next page; null on the last one.' })),
});
