import { array, assert, constantFrom, double, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeardWords } from '../words/heard-words.ts';
import { readWords } from './read-words.ts';

/** Words of 300 ms, one every 400 ms. */
const heardAs = (text: string): HeardWords => ({
  text,
  confidence: 0.5,
  words: text.split(' ').map((word, n) => ({ text: word, startMs: n * 400, endMs: n * 400 + 300 })),
});
const read = (heard: string, text: string, confidence = 0.9): HeardWords =>
  readWords(heardAs(heard), { text, confidence });

describe('the words of a reading', () => {
  it('have the times of equal words', () => {
    expect(read('my name is tom', 'My name is Tom.')).toEqual({
      text: 'My name is Tom',
      confidence: 0.9,
      isRead: true,
      words: [
        { text: 'My', startMs: 0, endMs: 300 },
        { text: 'name', startMs: 400, endMs: 700 },
        { text: 'is', startMs: 800, endMs: 1100 },
        { text: 'Tom', startMs: 1200, endMs: 1500 },
      ],
    });
  });

  it('share the time of the words that they replace', () => {
    expect(read('no when they would be better', 'No, Wednesday would be better').words.slice(0, 3)).toEqual([
      { text: 'No,', startMs: 0, endMs: 300 },
      { text: 'Wednesday', startMs: 300, endMs: 1200 },
      { text: 'would', startMs: 1200, endMs: 1500 },
    ]);
  });

  it('lose a comma or full stop at the end', () => {
    expect(read('my name is tom', 'My name is Tom,').text).toBe('My name is Tom');
    expect(read('i want to', 'I want to...').text).toBe('I want to');
    expect(read('yes i do', 'Yes. I do.').text).toBe('Yes. I do');
  });

  it('lose a question mark where the words are no whole question', () => {
    expect(read('what', 'What?').text).toBe('What');
    expect(read('is there parking behind the', 'Is there parking behind the?').text).toBe(
      'Is there parking behind the',
    );
    expect(read('is there parking', 'Is there parking?').text).toBe('Is there parking?');
  });

  it.each([
    ['empty', '', 0.9],
    ['a mark alone', '.', 0.9],
    ['unsure', 'Thank you.', 0.3],
  ])('are not used where the reading is %s', (_, text, confidence) => {
    expect(read('yes', text, confidence)).toEqual(heardAs('yes'));
  });

  it('keep the order and the span of time of any words', () => {
    const word = constantFrom('a', 'B', 'c,', 'd.', 'e');
    assert(
      property(
        array(word, { minLength: 1, maxLength: 8 }),
        array(word, { minLength: 1, maxLength: 8 }),
        double({ min: 0.5, max: 1, noNaN: true }),
        (heard, text, confidence) => {
          const { words } = read(heard.join(' ').toLowerCase(), text.join(' '), confidence);
          expect(words).toHaveLength(text.length);
          const times = words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(times.at(-1)).toBeLessThanOrEqual(heard.length * 400);
        },
      ),
    );
  });
});
