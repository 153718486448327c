import { Type } from 'typebox';
import { IsoTime, nullable } from '../common/schemas.ts';

export const FollowUp = nullable(
  Type.Object(
    { done_by: Type.String({ description: 'The member or key that marked it.' }), done_at: IsoTime },
    { description: 'That somebody called the person back, or marked the call as done. Null: nobody did.' },
  ),
);

export const FollowUpBody = Type.Object(
  { done: Type.Boolean({ description: 'False takes the mark away.' }) },
  { additionalProperties: false },
);
export const FollowUpAnswer = Type.Object({ follow_up: FollowUp });
