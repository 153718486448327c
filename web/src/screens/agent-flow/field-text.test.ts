import {
  array,
  assert,
  constantFrom,
  dictionary,
  property,
  record as recordOf,
  stringMatching,
} from 'fast-check';
import { expect, it } from 'vitest';
import { ANSWERS, completions, keptValue, LINES, PAIRS } from './field-text.ts';

const words = stringMatching(/^[a-z]{1,6}( [a-z]{1,6})?$/);

it('reads lines, pairs and answers back as they were written', () => {
  assert(
    property(
      array(words),
      dictionary(stringMatching(/^[a-z][a-z0-9_]{0,5}$/), constantFrom('1', "a == 'b'", 'day != "x=y"')),
      array(recordOf({ name: words, phrases: array(words, { minLength: 1 }) })),
      (lines, pairs, answers) => {
        expect(LINES.read(LINES.write(lines))).toEqual(lines);
        expect(PAIRS.read(PAIRS.write(pairs))).toEqual({ ...pairs });
        expect(ANSWERS.read(ANSWERS.write(answers))).toEqual(answers);
      },
    ),
  );
});

it('writes values of another form as an empty text', () => {
  for (const form of [LINES, PAIRS, ANSWERS]) expect(form.write(7)).toBe('');
});

it('keeps an emptied field only where the step needs it', () => {
  for (const empty of ['', [], {}, false]) {
    expect(keptValue(empty, false)).toBeUndefined();
    expect(keptValue(empty, true)).toEqual(empty);
  }
  expect(keptValue(0, false)).toBe(0);
});

it('offers the variables that the last word of an expression begins', () => {
  expect(completions("reason == 'x' && d", ['day', 'reason'])).toEqual(["reason == 'x' && day"]);
  expect(completions('known.d', ['day'])).toEqual(['known.day']);
  expect(completions('day', ['day', 'days'])).toEqual(['days']);
});
