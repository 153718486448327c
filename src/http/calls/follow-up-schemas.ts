import { Type } from 'typebox';
import { IsoTime, nullable } from '../common/schemas.ts';

export const FollowUp = nullable(
  Type.Object(
    { done_by: Type.String({ description: 'The member or key that marked it.' }), done_at: IsoTime },
    { description: 'Who marked the call as done, and when. Null: nobody did.' },
  ),
);

export const FollowUpBody = Type.Object(
  { done: Type.Boolean({ description: 'False takes the mark away.' }) },
  { additionalProperties: false },
);
export const FollowUpAnswer = Type.Object({ follow_up: FollowUp });
