import { Type } from 'typebox';
import { errors } from '../../../errors.ts';
import { operation } from './operation.ts';

/** Replaces the criteria by which every conversation is judged; an empty list removes them. */
export const editEvaluations = operation(
  Type.Object({
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
  }),
  ({ config }, { evaluations }) => ({ config: { ...config, evaluations } }),
  ({ evaluations }) => {
    const names = evaluations.map(({ name }) => name);
    const again = names.findIndex((name, at) => names.indexOf(name) !== at);
    if (again !== -1) throw errors.invalid(`evaluations[${again}].name`, 'must differ from the other names');
  },
);
