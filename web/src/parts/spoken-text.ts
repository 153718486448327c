import { t } from '../words/words.ts';

/** What the transcript has where speech of the person was not recognised. */
export const NOT_UNDERSTOOD = '[not understood]';

/** The words of a line as a page shows them: the mark of a transcript in the reader's language. */
export const spokenText = (text: string): string =>
  text === NOT_UNDERSTOOD ? `[${t('Not understood')}]` : text;
