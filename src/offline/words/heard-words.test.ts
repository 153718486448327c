import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heardWords, partialText } from './heard-words.ts';

const word = (text: string, start: number, conf: number) => ({ conf, start, end: start + 0.3, word: text });
const result = (...words: ReturnType<typeof word>[]): string =>
  JSON.stringify({ result: words, text: words.map((one) => one.word).join(' ') });

describe('the words of a result', () => {
  it('have times in ms and the mean confidence', () => {
    expect(heardWords(result(word('book', 0.5, 1), word('now', 0.9, 0.5)))).toEqual({
      text: 'book now',
      confidence: 0.75,
      words: [
        { text: 'book', startMs: 500, endMs: 800 },
        { text: 'now', startMs: 900, endMs: 1200 },
      ],
    });
  });

  it.each([
    ['nothing', '{"text":""}'],
    ['a word for noise without confidence', result(word('the', 0, 0.6))],
    ['two of them', result(word('huh', 0, 0.7), word('the', 0.4, 0.7))],
    ['speech that fits no word', result(word('boat', 0, 0.2))],
    ['words outside a list of phrases', '{"text":"[unk]"}'],
  ])('are none for %s', (_, message) => {
    expect(heardWords(message)).toBeNull();
  });

  it('keep a sure short word', () => {
    expect(heardWords(result(word('huh', 0, 0.95)))?.text).toBe('huh');
    expect(heardWords(result(word('no', 0, 0.4)))?.text).toBe('no');
  });

  it('are read from any result without an error', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (answer) => {
        const heard = heardWords(JSON.stringify(answer));
        expect(heard === null || heard.text !== '').toBe(true);
        expect(partialText(JSON.stringify(answer))).toBeTypeOf('string');
      }),
      { seed: 32, numRuns: 300 },
    );
  });
});
