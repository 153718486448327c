import { expect, it } from 'vitest';
import { lookUpIn } from './lookup-knowledge.ts';

const [PRICES, PLACES] = ['prices', 'places'];
const search = lookUpIn([
  { text: 'A check-up costs forty euros.', source: 'prices.md', base: PRICES },
  { text: 'Parking costs two euros.', source: 'places.md', base: PLACES },
]);
const sources = (args: object): unknown =>
  (search({ question: 'costs', ...args }) as { results: { source: string; base?: string }[] }).results
    .map(({ source }) => source)
    .toSorted();

it('searches the knowledge bases that a step names, or else all of the call', () => {
  expect(sources({})).toEqual(['places.md', 'prices.md']);
  expect(sources({ knowledge_bases: [PRICES] })).toEqual(['prices.md']);
  expect(sources({ knowledge_bases: [] })).toEqual([]);
  expect(JSON.stringify(search({ question: 'costs' }))).not.toContain('base');
});
