import { Type } from 'typebox';
import { oneOf } from '../common/schemas.ts';

/** The body of POST /calling/{call_id}/control. */
export const ControlBody = Type.Object({
  operation: oneOf(['whisper', 'say', 'take_over', 'hand_back'], {
    description:
      'whisper: a note to the agent, which the agent uses in its next reply and the caller does not hear. say: the agent stops and says text in its voice. take_over: the agent falls silent; the words of the caller are still recognised and recorded. hand_back: the agent has the call again, knows what was said, and answers the last words of the caller if nobody did.',
  }),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: String.raw`\S`,
      description: 'Required for whisper and say, refused otherwise.',
      example: 'Offer them ten in the morning.',
    }),
  ),
});
