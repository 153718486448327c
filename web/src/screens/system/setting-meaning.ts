import { useEffect, useState } from 'react';
import { LANGUAGE } from '../../words/language.ts';
import { pageSentence, type SentenceForms } from '../../words/sentence-forms.ts';

const FILES = import.meta.glob<{ MEANINGS: SentenceForms }>('./meanings/*.ts');

/** The description of a setting by the table of a language; one that the table lacks stays English. */
export const meaningOf = (meanings: SentenceForms, description: string): string =>
  pageSentence(meanings, description) ?? description;

/** The descriptions of settings in the reader's language; null: they are being loaded. English needs none. */
export function useMeanings(): SentenceForms | null {
  const load = FILES[`./meanings/${LANGUAGE}.ts`];
  const [meanings, setMeanings] = useState<SentenceForms | null>(load === undefined ? [] : null);
  useEffect(() => {
    load?.().then(
      (file) => setMeanings(file.MEANINGS),
      // Without them the settings are described in English.
      () => setMeanings([]),
    );
  }, [load]);
  return meanings;
}
