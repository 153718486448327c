import { FIELD_RULES } from '../../ui/field-rules.ts';
import { pageEnding, pageSentence, type SentenceForms } from '../../words/sentence-forms.ts';
import { t } from '../../words/words.ts';

/** Why somebody was not invited to a call, or the person not transferred, as the service words it. */
export const REFUSALS: SentenceForms = [
  ['the other side refused', 'the other phone refused'],
  ['the other side hung up', 'the other phone hung up'],
  ['the peer ended the call', 'the other phone hung up'],
  ['no sound came from the other side', 'no sound came from the other phone'],
  ['the call to the other side could not be made', 'the other phone could not be called'],
  ['this call cannot be transferred', 'this call cannot be transferred'],
  ['this call takes no second leg', 'nobody can be invited to this call'],
  ['another person has been invited to the call', 'another person has been invited to the call'],
  ['another transfer is under way', 'another transfer is under way'],
  ['the invitation was taken back', 'the invitation was taken back'],
  ['the call is not up', 'the call is not connected'],
  ['the call is over', 'the call is over'],
  ['the call ended', 'the call is over'],
  ['this process does not hold the call any more', 'another process of the service has the call'],
  ['the dial gate is not available', 'the service could not check the number'],
  ['the gate took too long', 'the check of the number took too long'],
  ['no media is free', 'no port for sound is free'],
  ['the trunk of this call carries no second leg beside it', 'the trunk of this call calls no second phone'],
  ['the trunk is out of service', 'the trunk is out of service'],
  ['every line of the trunk is in use', 'every line of the trunk is in use'],
  ['the trunk takes no more calls now', 'the trunk takes no more calls now'],
  ['the carrier takes no new calls now', 'the carrier takes no new calls now'],
  ['the workspace is gone', 'the workspace was deleted'],
  ['every line of the workspace is in use', 'every line of the workspace is in use'],
  ['the credits of the workspace do not cover the transfer', 'the credits do not cover the call'],
  ['the credits of the workspace do not cover more talk', 'the credits do not cover more talk'],
  [
    'the workspace has started as many calls as it may start in a minute',
    'the workspace has started as many calls as it may start in a minute',
  ],
  [
    'the workspace has spent what it may spend in a day',
    'the workspace has spent what it may spend in a day',
  ],
  [
    'as many calls came in as the workspace takes in a minute',
    'as many calls came in as the workspace takes in a minute',
  ],
  [
    'the workspace has spent what it may spend in a day on calls that come in',
    'the workspace has spent what it may spend in a day on calls that come in',
  ],
  [
    'the workspace has used its model turns of the day',
    'the workspace has used its replies of the model for the day',
  ],
  ['outbound calls of the workspace are paused', 'outbound calls of the workspace are paused'],
  ['the number is on the do-not-call list', 'the number is on the do-not-call list'],
  ['this installation does not dial this destination', 'this installation does not call this destination'],
  ['the workspace does not dial this destination', 'the workspace does not call this destination'],
  ['the target {rule}', 'the target {rule}'],
  ['a machine answered', 'a machine answered'],
  ['a voicemail box answered', 'a voicemail box answered'],
  ['a fax answered', 'a fax answered'],
  [
    'the network says that the number cannot be reached',
    'the network says that the number cannot be reached',
  ],
  ['transfer timed out', 'no answer in time'],
  ['REFER refused', 'the carrier refused the transfer'],
  ['the peer reported no outcome', 'the carrier reported no outcome'],
  ['no response from trunk', 'the trunk does not respond'],
  ['trunk unreachable', 'the trunk cannot be reached'],
  ['trunk address not found', 'the address of the trunk was not found'],
  ['unusable number', 'the number cannot be called'],
  ['answered without SDP', 'the other phone offered no sound'],
  ['ring timeout', 'nobody answered'],
];

/** The usual reasons of SIP answers without their number, as a carrier reports them of a transfer. */
export const SIP_REASONS: SentenceForms = [
  ['Busy Here', 'the line is busy'],
  ['Busy Everywhere', 'the line is busy'],
  ['Decline', 'the call was declined'],
  ['Not Found', 'the number does not exist'],
  ['Temporarily Unavailable', 'the phone cannot be reached now'],
  ['Request Timeout', 'no answer in time'],
  ['Forbidden', 'the carrier refused the call'],
  ['Service Unavailable', 'the carrier takes no new calls now'],
];

/** What the usual answers of SIP mean; the words of the carrier stand behind their number. */
export const SIP_ANSWERS: Readonly<Record<string, string>> = {
  403: 'the carrier refused the call',
  404: 'the number does not exist',
  408: 'no answer in time',
  480: 'the phone cannot be reached now',
  486: 'the line is busy',
  503: 'the carrier takes no new calls now',
  600: 'the line is busy',
  603: 'the call was declined',
};

/** A reason in the reader's language; one of a carrier that the page does not know stays. */
export function refusalText(reason: string): string {
  const answer = SIP_ANSWERS[/^\d{3}(?= )/.exec(reason)?.[0] ?? ''];
  if (answer !== undefined) return t(answer);
  return (
    pageSentence(REFUSALS, reason, (rule) => pageEnding(FIELD_RULES, rule)?.text ?? rule) ??
    pageSentence(SIP_REASONS, reason) ??
    reason
  );
}
