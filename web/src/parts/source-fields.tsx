import type { ReactNode } from 'react';
import { Button, TextArea, TextField } from '../ui/controls.tsx';
import type { Sources } from './knowledge-sources.ts';
import { t } from '../words/words.ts';

/** Files, web pages and questions with answers that are added to a knowledge base. */
export function SourceFields({
  sources,
  round = 0,
  onChange,
}: {
  sources: Sources;
  /** A file input cannot be emptied: with each round a new one replaces it. */
  round?: number;
  onChange: (sources: Sources) => void;
}): ReactNode {
  const { faqs } = sources;
  const setFaq = (index: number, change: Partial<Sources['faqs'][number]>): void =>
    onChange({ ...sources, faqs: faqs.map((faq, at) => (at === index ? { ...faq, ...change } : faq)) });
  return (
    <>
      <TextField
        key={round}
        label={t('Files')}
        type="file"
        multiple
        accept=".pdf,.docx,.txt,.md,.html,.htm,.csv"
        hint={t('PDF, DOCX, TXT, MD, HTML or CSV, up to 10 MB each.')}
        onChange={(event) => onChange({ ...sources, files: [...(event.target.files ?? [])] })}
      />
      <TextArea
        label={t('Addresses of web pages, one a line')}
        rows={2}
        value={sources.urls}
        placeholder="https://example.com/prices"
        hint={t('Each is fetched once.')}
        onChange={(event) => onChange({ ...sources, urls: event.target.value })}
      />
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1 text-sm font-medium">{t('Questions with answers')}</legend>
        {faqs.map((faq, index) => (
          // A pair has no other identity than its place.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className="grid items-start gap-3 rounded-md bg-raised p-3 sm:grid-cols-2">
            <TextField
              label={t('Question {index}', { index: index + 1 })}
              value={faq.question}
              maxLength={500}
              onChange={(event) => setFaq(index, { question: event.target.value })}
            />
            <TextArea
              label={t('Answer {index}', { index: index + 1 })}
              rows={2}
              value={faq.answer}
              maxLength={5000}
              onChange={(event) => setFaq(index, { answer: event.target.value })}
            />
          </div>
        ))}
        <div>
          <Button onClick={() => onChange({ ...sources, faqs: [...faqs, { question: '', answer: '' }] })}>
            {t('Add a question')}
          </Button>
        </div>
      </fieldset>
    </>
  );
}
