import { Type } from 'typebox';
import { oneOf } from '../common/schemas.ts';

/** The body of POST /calling/{call_id}/control. */
export const ControlBody = Type.Object({
  operation: oneOf(
    ['whisper', 'say', 'take_over', 'hand_back', 'transfer', 'invite', 'remove', 'hold', 'resume'],
    {
      description:
        'whisper: the agent gets text as a note for its next reply; the caller does not hear it. say: the agent stops and says text in its voice. take_over: the agent falls silent; the words of the caller are still recognised and recorded. hand_back: the agent takes the call again, with what member and caller said, and answers the last words of the caller if the member did not. transfer: the service connects the caller to transfer_to; the live stream has the notices TRANSFER_STARTED, then TRANSFERRED or TRANSFER_FAILED, after which the caller stays with the agent. invite: the service calls invite_to, who joins caller and agent: the three hear each other, the agent answers the caller and knows what the guest says, and the transcript has their words under their name. One guest at a time; notices GUEST_INVITED, then GUEST_JOINED or GUEST_FAILED, and GUEST_LEFT. remove: the guest leaves the call. hold: the far side waits with music (SIP: re-INVITE with a=sendonly); the agent neither hears nor speaks, silence ends no call, and the time counts towards max_call_length; notices ON_HOLD, or HOLD_REFUSED when the far side refuses, and the call goes on as before. resume: the caller is back; notices OFF_HOLD or RESUME_REFUSED.',
    },
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: String.raw`\S`,
      description:
        'Required for whisper and say. For transfer and invite, what the other person hears first. Refused otherwise.',
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
  invite_to: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 330,
      example: '+14155550112',
      description:
        'Required for invite, refused otherwise. A number in E.164 form, or a SIP address; the rules, credits and lines are those of a warm transfer.',
    }),
  ),
  invite_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: String.raw`\S`,
      example: 'Dr. Rao',
      description:
        'For invite, refused otherwise: who that is, for transcript and agent. Default: invite_to.',
    }),
  ),
  mode: Type.Optional(
    oneOf(['warm', 'cold', 'auto'], {
      description:
        'For transfer, refused otherwise. Default warm: the service calls the target and connects it once it has heard text. cold: the far side calls the target itself (SIP REFER). auto: as cold, and as warm when the far side refuses REFER.',
    }),
  ),
});
