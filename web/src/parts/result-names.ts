import { t } from '../words/words.ts';

/** What the service says of a call itself: how it ended, or its own label of the conversation. */
export const RESULT_NAMES = [
  'Voicemail',
  'Call screened',
  'Busy',
  'No answer',
  'Wrong number',
  'Not connected',
  'Stopped by a tool',
  'Do not call',
  'Asked for no more calls',
  'Cancelled',
  'Campaign over',
  'Not enough credits',
  'Conversation finished',
  'Went silent',
  'Reached the longest duration',
  'Connection lost',
  'Transferred',
  'Stopped by the service',
  'Fax or announcement',
  'Ended by the workspace',
  'A fax machine answered',
  'Announcement',
  'Refused',
  'Hung up before the answer',
  'Hung up at once',
  'Hung up',
  'Callback requested',
  'Human requested',
  'Not interested',
  'No response',
  'Interested',
  'Completed',
  'Incomplete',
] as const;

/** How the analysis found the person. */
export const SENTIMENT_NAMES = ['Positive', 'Neutral', 'Negative'] as const;

/** A result in the language of the reader; an answer or label of the workspace has its own words. */
export const resultName = (result: string): string => t(result);
