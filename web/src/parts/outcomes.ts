import { formatCode } from '../ui/format.tsx';
import { t } from '../words/words.ts';

/** Reasons for the status of a call, attempt, message or chat, by code. Codes that only repeat the status are not listed. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  IN_DB: 'Not called yet',
  RETRY_SCHEDULED: 'Retry',
  QUEUED: 'Due now',
  RINGING: 'Ringing',
  ACCEPTED: 'On the phone',
  AGENT_ENDED: 'The assistant hung up',
  USER_LEFT: 'The person hung up',
  SERVICE_STOPPED: 'Cut: the service was stopped',
  UNKNOWN_AFTER_CRASH: 'Cut: the service failed',
  CALL_TRANSFERRED: 'Transferred',
  USER_BECAME_IDLE: 'Went silent',
  MAX_CALL_DURATION: 'Reached the longest duration',
  MEDIA_TIMEOUT: 'Connection lost',
  VOICEMAIL_DETECTED: 'Voicemail',
  CALL_SCREENED: 'Call screened',
  OPTED_OUT: 'Asked for no more calls',
  NOT_ABLE_TO_CALL: 'Not able to call',
  PRE_CALL_API_FAILED: 'Stopped by a tool',
  DND_SKIPPED: 'On the do-not-call list',
  USER_TERMINATED: 'Ended by the workspace',
  LIMIT_REACHED: 'Limit reached',
  RETRY_LIMIT_REACHED: 'All retries used',
  CAMPAIGN_TIME_EXCEEDED: 'Campaign over',
  WINDOW_CLOSED: 'Outside of the calling hours',
  INSUFFICIENT_BALANCE: 'Not enough credits',
};

/** Reasons for the end of a chat that have other words than those of a call: nobody hangs up a chat. */
export const CHAT_ENDS: Readonly<Record<string, string>> = {
  AGENT_ENDED: 'The assistant ended it',
  USER_LEFT: 'The person left',
  OPTED_OUT: 'Asked for no more messages',
  IDLE_TIMEOUT: 'Nobody wrote any more',
  MAX_DURATION: 'Reached the longest duration',
  PROCESSOR_TIME_EXCEEDED: 'Took too much processor time',
};

export const outcomeName = (code: string | null): string => t(OUTCOMES[code ?? ''] ?? formatCode(code));
export const chatEndName = (code: string | null): string => t(CHAT_ENDS[code ?? ''] ?? outcomeName(code));
