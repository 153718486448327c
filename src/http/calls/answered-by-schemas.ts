import { Type } from 'typebox';
import { ANSWERED_KINDS, ANSWER_REASONS } from '@callwright/turns';
import { nullable, oneOf } from '../common/schemas.ts';

const description =
  'Who answered, as judged from tones, timing and words; null: not decided, or the agent does not listen for machines.';

export const AnsweredBy = nullable(
  Type.Object(
    {
      kind: oneOf(ANSWERED_KINDS, {
        description: 'sit: special information tones. unsure: the agent talks as to a person.',
      }),
      confidence: Type.Number({ minimum: 0, maximum: 1, example: 0.95 }),
      decided_ms: Type.Integer({
        minimum: 0,
        example: 820,
        description: 'From the answer to the first decision.',
      }),
      revised_ms: nullable(
        Type.Integer({
          minimum: 0,
          description: 'From the answer to the last change of the kind; null: the first decision stood.',
        }),
      ),
      reasons: Type.Array(oneOf(ANSWER_REASONS), { description: 'What the decision rests on.' }),
    },
    { description },
  ),
);
