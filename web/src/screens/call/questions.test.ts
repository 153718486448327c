import { expect, it } from 'vitest';
import { questionsOf } from './questions.ts';

it('parts a key point after its question', () => {
  expect(questionsOf(['Is now a good time? yes', 'Can you come at ten? No. Can it be eleven?'])).toEqual([
    { question: 'Is now a good time?', answer: 'yes' },
    { question: 'Can you come at ten?', answer: 'No. Can it be eleven?' },
  ]);
  expect(questionsOf(['क्या अभी समय है? हाँ', '何時ですか？ 十時'])).toHaveLength(2);
});

it('leaves out what has no question or no answer', () => {
  expect(questionsOf(['Call me back.', 'Is it you?', 'Is it you? ', 7, null])).toEqual([]);
  expect(questionsOf(undefined)).toEqual([]);
});
