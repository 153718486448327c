import { Type } from 'typebox';
import { oneOf } from '../common/schemas.ts';

/** The body of POST /calling/{call_id}/control. */
export const ControlBody = Type.Object({
  operation: oneOf(['whisper', 'say', 'take_over', 'hand_back', 'transfer'], {
    description:
      'whisper: the agent gets text as a note for its next reply; the caller does not hear it. say: the agent stops and says text in its voice. take_over: the agent falls silent; the words of the caller are still recognised and recorded. hand_back: the agent takes the call again, with what member and caller said, and answers the last words of the caller if the member did not. transfer: the service connects the caller to transfer_to; the live stream has the notices TRANSFER_STARTED, then TRANSFERRED or TRANSFER_FAILED, after which the caller stays with the agent.',
  }),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: String.raw`\S`,
      description:
        'Required for whisper and say. For a transfer, what its target hears before the caller. Refused otherwise.',
      example: 'Offer them ten in the morning.',
    }),
  ),
  transfer_to: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 330,
      example: '+14155550111',
      description: 'Required for transfer, refused otherwise. A number in E.164 form, or a SIP address.',
    }),
  ),
  mode: Type.Optional(
    oneOf(['warm', 'cold', 'auto'], {
      description:
        'For transfer, refused otherwise. Default warm: the service calls the target and connects it once it has heard text. cold: the far side calls the target itself (SIP REFER). auto: as cold, and as warm when the far side refuses REFER.',
    }),
  ),
});
