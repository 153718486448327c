import { t } from '../words/words.ts';

/** What went wrong at a vendor, as the service words it. */
export const FAULTS: Readonly<Record<string, string>> = {
  key: 'the API key is refused',
  credit: 'no credit is left',
  limit: 'too many requests or connections',
  rejected: 'the request is rejected',
  timeout: 'no answer in time',
  lost: 'the connection failed',
  account: 'no account is configured',
};
const WORDS = Object.values(FAULTS);

/** A message of the service about a vendor, with its own words in the reader's language; the vendor's words stay. */
export const faultMessage = (message: string): string =>
  WORDS.reduce((text, words) => text.replaceAll(words, t(words)), message);
