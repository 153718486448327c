import { formatCode } from '../ui/format.tsx';
import { t } from '../words/words.ts';

/** How a call ended, where its conversation says nothing more, and the labels of a conversation: the service's own words. */
export const RESULTS = [
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
const KNOWN: ReadonlySet<string> = new Set(RESULTS);
/** An answer to the goal of an assistant behind the name of the goal. */
const YES_OR_NO = /^(.+): (yes|no)$/;

/** A result in the reader's language; the words of the workspace stay as they are. */
export function resultName(result: string, source: string | null): string {
  if (source !== 'goal') return KNOWN.has(result) ? t(result) : result;
  const [, name, answer] = YES_OR_NO.exec(result) ?? [];
  return name === undefined ? result : `${name}: ${answer === 'yes' ? t('yes') : t('no')}`;
}

export const SENTIMENTS: Readonly<Record<string, string>> = {
  positive: 'Positive',
  neutral: 'Neutral',
  negative: 'Negative',
};
export const sentimentName = (sentiment: string | null): string =>
  t(SENTIMENTS[sentiment ?? ''] ?? formatCode(sentiment));
