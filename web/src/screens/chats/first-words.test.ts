import { expect, it } from 'vitest';
import { bodyPlaces, filledBody } from './first-words.ts';

it('counts the places of the text, and none of a template with others', () => {
  expect(bodyPlaces({ variables: [] })).toBe(0);
  expect(bodyPlaces({ variables: ['body_2', 'body_1', 'body_3'] })).toBe(3);
  for (const name of ['header_1', 'button_1', 'first_name', 'header_image', 'body_0', 'body_3'])
    expect(bodyPlaces({ variables: ['body_1', name] })).toBeNull();
});

it('fills the places with words, which are not filled again', () => {
  const body = 'Hello {{1}}, we see you at {{2}}. {{3}}';
  expect(filledBody({ body }, ['{{2}}', '10:00 $&'])).toBe('Hello {{2}}, we see you at 10:00 $&. {{3}}');
});
