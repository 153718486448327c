import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from './blocks.ts';
import { chunkBlocks, countWords } from './chunk-blocks.ts';

const text = (body: string): Block => ({ type: 'text', text: body });
const words = (count: number, word = 'word'): string => Array(count).fill(word).join(' ');

describe('chunkBlocks', () => {
  it('joins short paragraphs up to the minimum size', () => {
    const chunks = chunkBlocks([text(words(50, 'a')), text(words(40, 'b')), text(words(30, 'c'))]);
    expect(chunks.map((chunk) => countWords(chunk.body))).toEqual([90, 30]);
  });

  it('ends a chunk at headings and stores their path', () => {
    const chunks = chunkBlocks([
      { type: 'heading', level: 1, text: 'Visits' },
      text('One.'),
      { type: 'heading', level: 2, text: ' By\ncar ' },
      text('Two.'),
      { type: 'heading', level: 1, text: 'Fees' },
      text('Three.'),
    ]);
    expect(chunks).toEqual([
      { heading: 'Visits', question: null, body: 'One.' },
      { heading: 'Visits › By car', question: null, body: 'Two.' },
      { heading: 'Fees', question: null, body: 'Three.' },
    ]);
  });

  it('cuts a long paragraph between sentences', () => {
    const sentence = `It is ${words(38)} end. `;
    const chunks = chunkBlocks([text(sentence.repeat(6))]);
    expect(chunks.map((chunk) => countWords(chunk.body))).toEqual([123, 123]);
    expect(chunks.every((chunk) => chunk.body.endsWith('end.'))).toBe(true);
  });

  it('keeps FAQs whole', () => {
    const faq: Block = { type: 'faq', question: 'Where?', answer: words(400) };
    expect(chunkBlocks([text('Before.'), faq]).map((chunk) => chunk.question)).toEqual([null, 'Where?']);
  });

  it('loses no words and makes no chunk of more than 150', () => {
    const paragraph = fc
      .array(
        fc.constantFrom('plain', 'Dr.', 'x'.repeat(500), 'नमस्ते', '中文没有空格的句子。', '\n', '-', '12.5'),
        {
          maxLength: 600,
        },
      )
      .map((parts) => text(parts.join(' ')));
    fc.assert(
      fc.property(fc.array(paragraph, { maxLength: 8 }), (blocks) => {
        const chunks = chunkBlocks(blocks);
        const letters = (value: string): string => value.replaceAll(/\s/g, '');
        const before = blocks.map((block) => (block.type === 'text' ? letters(block.text) : '')).join('');
        expect(chunks.map((chunk) => letters(chunk.body)).join('')).toBe(before);
        for (const chunk of chunks) expect(countWords(chunk.body)).toBeLessThanOrEqual(150);
      }),
      { numRuns: 100, seed: 3 },
    );
  });
});
