import { Type } from 'typebox';
import { CallingWindow } from '../common/calling-window-schemas.ts';
import { LookupId, mapOf, nullable } from '../common/schemas.ts';

const strict = { additionalProperties: false };
const MOST_CONTACTS = 10;

export const CallPreviewBody = Type.Object(
  {
    agent_id: LookupId,
    contacts: Type.Array(
      Type.Object(
        {
          name: Type.Optional(Type.String({ maxLength: 200 })),
          mobile_number: Type.Optional(Type.String({ maxLength: 64 })),
          custom_args_values: Type.Optional(mapOf(Type.String({ maxLength: 1000 }), { maxProperties: 100 })),
        },
        strict,
      ),
      { minItems: 1, maxItems: MOST_CONTACTS },
    ),
  },
  strict,
);

export const CallPreviewAnswer = Type.Object({
  variables: Type.Array(
    Type.Object({
      name: Type.String(),
      needed_in: nullable(
        Type.String({ description: 'The text that needs a value; null: every use has a fallback.' }),
      ),
    }),
    { description: 'The variables that the active version uses, without callee_name and mobile_number.' },
  ),
  contacts: Type.Array(
    Type.Object({
      mobile_number: nullable(Type.String({ description: 'E.164; null: no number with a country code.' })),
      calling_window: nullable(CallingWindow),
      is_night: Type.Boolean({
        description: 'The phone would ring before 08:00 or after 21:00 on the clock of the callee.',
      }),
      says: Type.String({ description: 'The first message with the values, without what lacks one.' }),
      missing: Type.Array(Type.String(), { description: 'Needed variables without a value.' }),
    }),
  ),
});
