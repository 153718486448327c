import { Type } from 'typebox';
import { mapOf, oneOf } from '../../../shared/schema-parts.ts';

const AnalysisKey = Type.Object({
  type: oneOf(['string', 'number', 'boolean', 'date', 'enum']),
  values: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description: 'The values of an enum.',
    }),
  ),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  default: Type.Optional(
    Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()], {
      'x-rule': 'must be a text of at most 1000 characters, a number, a boolean or null',
    }),
  ),
});

export const ClientAnalysisFields = Type.Object({
  context: Type.Optional(Type.String({ maxLength: 5000 })),
  goal_key: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'One of keys.' })),
  classification_labels: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 30,
      description:
        "Labels for the calls of the agent, in every version; replaces the list, and an empty one restores the service's own labels.",
    }),
  ),
  keys: mapOf(AnalysisKey, {
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 100 },
    description: 'Questions about every call. Replaces the analysis; an empty object removes it.',
  }),
});

export const EvaluationFields = Type.Object({
  evaluations: Type.Array(
    Type.Object({
      name: Type.String({
        minLength: 1,
        maxLength: 80,
        pattern: '\\S',
        'x-rule': 'must be a name of 1 to 80 characters',
        example: 'confirmed_the_day',
      }),
      criterion: Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: '\\S',
        'x-rule': 'must be a text of 1 to 1000 characters',
        description: 'What has to be true of the conversation, in words.',
        example: 'The agent repeats the day and the hour before it says goodbye.',
      }),
    }),
    { maxItems: 20, description: 'Replaces the list; an empty one removes it.' },
  ),
});
