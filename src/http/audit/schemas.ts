import { Type } from 'typebox';
import { IsoTime, mapOf, Moment, nullable, Uuid } from '../common/schemas.ts';

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

export const AuditQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'More answers 400.' }),
  ),
  before: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The next_before of the previous page.' }),
  ),
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 200, example: 'placeCall' })),
  actor: text,
  request_id: text,
  object_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Any id in an entry: of a call, an agent …' }),
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
          description:
            'api_key, user, signed_link, operator: the provision file, or system: the service itself.',
        }),
        name: Type.String({
          example: 'cw_live_…a1B2',
          description: 'The masked key; in the log of a child workspace it may be the key of the parent.',
        }),
      }),
      action: Type.String({
        example: 'placeCall',
        description: 'The operationId of the endpoint, provision, or workspace.cap_reached.',
      }),
      method: Type.String({ example: 'POST' }),
      route: Type.String({ example: '/api/v0/calling/outbound/individual' }),
      status: Type.Integer({ example: 200, description: 'The HTTP status of the response.' }),
      objects: mapOf(Type.Unknown(), {
        description:
          'Ids in the request and its response; nothing else of the body. For provision: the changed parts; for workspace.cap_reached: the cap.',
      }),
      request_id: Type.String(),
      address: nullable(Type.String({ description: 'The client address.' })),
    }),
  ),
  names: mapOf(Type.String(), {
    description:
      'The present names of objects of these entries by their id: of agents, campaigns, calls and the like, as far as the reader may read them. An object that is gone, and a person whose data was erased, have none.',
  }),
  limit: Type.Integer(),
  next_before: nullable(Type.String({ description: 'The before of the next page; null on the last page.' })),
});
