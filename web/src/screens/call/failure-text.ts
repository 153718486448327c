import { t } from '../../words/words.ts';
import type { Call } from './types.ts';

/** What happened and what to do about it, by the code of the failure; the service's own sentences name its interface. */
export const FAILURES: Readonly<Record<string, string>> = {
  VOICE_FAILED:
    'The voice made no sound twice in a row. See the faults of vendors below, and the checks of the service.',
  MODEL_FAILED:
    'The language model gave no reply twice in a row. See the faults of vendors below, and test the model under Providers.',
  RECOGNISER_FAILED:
    'The recogniser stopped for good during the call. See the faults of vendors below, and the checks of the service.',
  REPLY_FAILED:
    'The assistant had nothing to say in time twice in a row: a tool, the model or the voice took too long.',
  RECOGNISERS_IN_USE: 'Every recogniser of this machine was in use, so the caller heard that it is busy.',
  CONVERSATION_FAILED: 'An error in the service ended the conversation. Its log has the cause.',
  CONVERSATION_NOT_STARTED:
    'The conversation could not begin after the answer. The log of the service has the cause.',
  CONVERSATION_CUT:
    'The conversation was closed before it had ended by itself. The log of the service has the cause.',
  PROCESSOR_TIME_EXCEEDED:
    'The call took too much processor time, so it was ended before it could disturb others.',
  WORKER_LOST:
    'The part of the service that carried the call failed, so the call was hung up. The log has the cause.',
  WORKER_MEMORY:
    'The part of the service that carried the call used too much memory, so its calls were ended.',
  LIMITS_EXCEEDED: 'The call outlived every limit of its length, so it was ended by force.',
  NOT_OWNED: 'The call was answered in a process that others had taken for dead, so it was hung up.',
  SERVICE_STOPPED:
    'The service was stopped and hung up. The call is not repeated: place it again if it should be.',
  PROCESS_LOST:
    'The process of the call died or lost the database. Whether a person was reached is unknown, so it is not repeated.',
  NO_MEDIA: 'The service had no capacity for the sound of another call.',
  MEDIA_REFUSED: 'The two sides share no audio format. Check the codecs of the trunk.',
  TRUNK_UNKNOWN: 'The service did not know the trunk yet. Place the call again after some seconds.',
  TRUNK_SILENT: 'The trunk did not answer. Check its address, and that the firewall lets SIP pass.',
  TRUNK_UNREACHABLE: 'The trunk could not be reached. Check its address and transport, and the network.',
  TRUNK_NOT_FOUND: 'The address of the trunk was not found. Check it.',
  DIAL_TOO_LATE:
    'The call could not leave in time, so it was not dialled. The service or its database is overloaded.',
  CALLER_INVALID:
    'The name or number to call from has a character that is not allowed. Correct it under Numbers.',
  SPECIAL_TONES: 'The network played its error tones instead of ringing.',
  CARRIER_REFUSED: 'The carrier refused the call. See the SIP messages, and ask the carrier.',
  SIGNALLING_FAILED: 'The call was ended before an answer. See the SIP messages.',
  PRE_CALL_TOOL_FAILED: 'A tool that runs before the call failed. See the tools of the call.',
  SPEECH_UNAVAILABLE: 'The service cannot speak. See its checks.',
  AGENT_VERSION_MISSING: 'The version of the assistant no longer exists. Place the call again.',
  INSUFFICIENT_BALANCE: 'The credits do not cover this call. Add credits.',
  DESTINATION_CLOSED: 'The destination is not allowed, or the calling window never opens.',
};

/** Words of the far side or of an engine, which stand behind the sentence. */
const DETAIL = / \([^()]+\)$/;

/** Why a call or attempt failed, in the reader's language; what others said stays as it is. */
export function failureText({ code, message }: NonNullable<Call['failure']>): string {
  const known = FAILURES[code];
  return known === undefined ? message : `${t(known)}${DETAIL.exec(message)?.[0] ?? ''}`;
}
