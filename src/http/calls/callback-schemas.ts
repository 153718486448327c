import { Type } from 'typebox';
import { SUCCESS } from '../../domain/webhooks/delivery-rules.ts';
import { mapOf, oneOf } from '../common/schemas.ts';

/** What goes with the `callback_url` of one call. */
export const CallbackArgs = Type.Optional(
  Type.Object(
    {
      headers: Type.Optional(mapOf(Type.String({ maxLength: 4096 }), { maxProperties: 50 })),
      params: Type.Optional(
        mapOf(Type.String({ maxLength: 1000 }), {
          maxProperties: 50,
          propertyNames: { minLength: 1, maxLength: 100 },
          description: 'Added to the query of callback_url.',
        }),
      ),
      success: Type.Optional(
        oneOf(SUCCESS, { description: 'Statuses of the receiver that count as success. Default 200.' }),
      ),
    },
    { additionalProperties: false },
  ),
);
