import { expect, it } from 'vitest';
import { hasSources, NO_SOURCES, sourceForm } from './knowledge-sources.ts';

const NAMES = { files: 'new_files', urls: 'new_urls', faqs: 'new_faqs' };

it('sends lists as JSON and leaves empty ones out', () => {
  const form = sourceForm({ kb_id: 'k' }, NO_SOURCES, NAMES);
  expect([...form]).toEqual([['kb_id', 'k']]);
  const full = sourceForm(
    { kb_id: 'k' },
    {
      files: [new File(['x'], 'prices.txt')],
      urls: ' https://a.example/ \n\nhttps://b.example/x ',
      faqs: [
        { question: 'Open?', answer: 'Yes' },
        { question: ' ', answer: '' },
      ],
    },
    NAMES,
  );
  expect(full.get('new_urls')).toBe('["https://a.example/","https://b.example/x"]');
  expect(full.get('new_faqs')).toBe('[{"question":"Open?","answer":"Yes"}]');
  expect((full.get('new_files') as File).name).toBe('prices.txt');
});

it('knows whether anything is added', () => {
  expect(hasSources(NO_SOURCES)).toBe(false);
  expect(hasSources({ ...NO_SOURCES, urls: ' \n' })).toBe(false);
  expect(hasSources({ ...NO_SOURCES, faqs: [{ question: 'Open?', answer: '' }] })).toBe(true);
});
