/** Why a call or attempt failed, for a person: a stable code, and a sentence that says what happened and what to do. */
export interface FailureReason {
  readonly code: FailureCode;
  readonly message: string;
}

/** Failures inside a conversation, after the answer. */
const IN_CONVERSATION = {
  VOICE_FAILED:
    'The voice made no sound twice in a row. See vendor_faults of the call, and the check voices of /readyz.',
  MODEL_FAILED:
    'The language model gave no reply twice in a row. See vendor_faults of the call, and test the model on the screen Providers.',
  RECOGNISER_FAILED:
    'The recogniser stopped for good during the call. See vendor_faults of the call, and the check recogniser of /readyz.',
  REPLY_FAILED:
    'The agent had nothing to say in time twice in a row: a tool, the model or the voice took too long. See latency and tool_call_logs of the call.',
  RECOGNISERS_IN_USE:
    'Every recogniser of this machine was in use, so the caller heard RECOGNISER_BUSY_LINE. See Slots in docs/providers.md, or add a process.',
  CONVERSATION_FAILED:
    'An error in this service ended the conversation. The log of the process names it beside the call ID.',
  CONVERSATION_NOT_STARTED:
    'The conversation could not begin after the answer. The log of the process names the cause beside the call ID.',
  CONVERSATION_CUT:
    'The conversation was closed before it had ended by itself. The log of the process names the cause beside the call ID.',
  PROCESSOR_TIME_EXCEEDED:
    'The call used more processor time than one call may, so it was ended before it could disturb others. The log of the process has the call ID.',
  WORKER_LOST:
    'The thread that carried the call ended or stopped responding, so the call was hung up. The log of the process has the cause.',
  WORKER_MEMORY:
    'The thread that carried the call used more memory than CALL_WORKER_HEAP_MB, so it was ended with its calls before the whole process was. Raise it if that many calls need it.',
  LIMITS_EXCEEDED:
    'The call outlived every limit of its length, so it was ended by force. The log of the process has the call ID.',
  NOT_OWNED:
    'The call was answered in a process that others had taken for dead, so it was hung up. See the states of processes on the screen System.',
  SERVICE_STOPPED:
    'The service was stopped while the call was under way, so it hung up. The call is not repeated: place it again if it should be.',
  PROCESS_LOST:
    'The process that carried the call died or lost the database. Whether a person was reached is unknown, so the call is not repeated.',
} as const;

/** Failures before an answer. */
const BEFORE_ANSWER = {
  NO_MEDIA: 'This process had no free call worker or RTP port. Widen RTP_PORTS, or add processes.',
  MEDIA_REFUSED: 'The two sides share no audio format. Check the codecs of the trunk.',
  TRUNK_UNKNOWN: 'This process did not know the trunk yet. The call can be placed again after some seconds.',
  TRUNK_SILENT: 'The trunk did not answer. Check its address, and that the firewall lets SIP pass.',
  TRUNK_UNREACHABLE: 'The trunk could not be reached. Check its address and transport, and the network.',
  TRUNK_NOT_FOUND: 'The address of the trunk could not be resolved. Check its URI.',
  DIAL_TOO_LATE:
    'The INVITE could not leave in time, so it was not sent. See the load of process and database.',
  CALLER_INVALID: 'The caller name or number has a control character. Correct the number of the workspace.',
  SPECIAL_TONES: 'The network played its error tones instead of ringing.',
  CARRIER_REFUSED: 'The carrier refused the call. See sip_messages of the attempt, and ask the carrier.',
  SIGNALLING_FAILED: 'SIP ended the call before an answer. See sip_messages of the attempt.',
  PRE_CALL_TOOL_FAILED: 'A tool that runs before the call failed. See tool_call_logs of the call.',
  SPEECH_UNAVAILABLE: 'This process cannot speak. See the check voices of /readyz.',
} as const;

/** Why a queued call ended without an attempt. */
const IN_QUEUE = {
  AGENT_VERSION_MISSING: 'The version of the agent no longer exists. Place the call again.',
  INSUFFICIENT_BALANCE: 'The credits of the workspace do not pay for a call. Add credits.',
  DESTINATION_CLOSED:
    'The destination is closed, or the calling window never opens. See the allowed destinations and call_time.',
} as const;

const SENTENCES = { ...IN_CONVERSATION, ...BEFORE_ANSWER, ...IN_QUEUE };

export type FailureCode = keyof typeof SENTENCES;
export type ConversationFailure = keyof typeof IN_CONVERSATION;
export const FAILURE_CODES = Object.keys(SENTENCES) as FailureCode[];

/** Where the far side or an engine said more, its words come behind the sentence. */
export const failureReason = (code: FailureCode, detail: string | null = null): FailureReason => ({
  code,
  message:
    detail === null || detail === '' ? SENTENCES[code] : `${SENTENCES[code]} (${withoutNumbers(detail)})`,
});

/** Phone numbers and other long numbers do not belong into a message that events and logs repeat. */
const withoutNumbers = (text: string): string => text.replaceAll(/\d{4,}/g, '…').slice(0, 300);

/** What the signalling and the dialer say about a call that was not answered, by its code. */
const BY_REASON: ReadonlyMap<string, FailureCode> = new Map([
  ['no response from trunk', 'TRUNK_SILENT'],
  ['trunk unreachable', 'TRUNK_UNREACHABLE'],
  ['trunk address not found', 'TRUNK_NOT_FOUND'],
  ['too late to call', 'DIAL_TOO_LATE'],
  ['the journal took too long', 'DIAL_TOO_LATE'],
  ['this process does not know the trunk', 'TRUNK_UNKNOWN'],
  ['control character in caller name or number', 'CALLER_INVALID'],
  ['special information tones while it rang', 'SPECIAL_TONES'],
  ['no media is free', 'NO_MEDIA'],
  ['answered without SDP', 'MEDIA_REFUSED'],
  ['the call worker ended', 'WORKER_LOST'],
  ['the call worker used too much memory', 'WORKER_MEMORY'],
  ['the call outlived every limit', 'LIMITS_EXCEEDED'],
]);

/** Why an attempt failed that nobody answered. */
export function unansweredCode({
  reason,
  sipCode,
}: {
  reason: string | null;
  sipCode: number | null;
}): FailureCode {
  const known = BY_REASON.get(reason ?? '');
  if (known !== undefined) return known;
  if (sipCode === 488) return 'MEDIA_REFUSED';
  return sipCode === null ? 'SIGNALLING_FAILED' : 'CARRIER_REFUSED';
}

/** The far side's words about an attempt that nobody answered, with its SIP code. */
export function unansweredDetail({
  reason,
  sipCode,
}: {
  reason: string | null;
  sipCode: number | null;
}): string | null {
  if (sipCode === null || reason === null || reason.startsWith(String(sipCode))) return reason;
  return `${sipCode} ${reason}`;
}

/** The failure of a stored attempt; null: it did not fail, or an earlier version stored it. */
export function storedFailure(attempt: {
  readonly failureCode: string | null;
  readonly reason: string | null;
  readonly sipCode: number | null;
}): FailureReason | null {
  const code = FAILURE_CODES.find((known) => known === attempt.failureCode);
  if (code === undefined) return null;
  // A failure in the conversation is stored as its whole sentence.
  if (attempt.reason?.startsWith(SENTENCES[code]) === true) return { code, message: attempt.reason };
  return failureReason(code, unansweredDetail(attempt));
}

/** Why a call ended in the queue, before or after its attempts; null: its sub-status is not a failure of its own. */
export function queuedFailure(subStatus: string): FailureReason | null {
  if (subStatus === 'FAILED') return failureReason('AGENT_VERSION_MISSING');
  if (subStatus === 'INSUFFICIENT_BALANCE') return failureReason('INSUFFICIENT_BALANCE');
  return subStatus === 'NOT_ABLE_TO_CALL' ? failureReason('DESTINATION_CLOSED') : null;
}
