import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentOfSettings } from '../test-call.ts';
import { readFact } from './read-fact.ts';

const FAQ = `Do you have parking? Yes, behind the house
What are your opening hours? Nine to five
Where are you? On Main Street
How much is a haircut? Thirty dollars
How much is a colour? Eighty dollars`;

describe('an answer', () => {
  const { answerTo } = agentOfSettings({ faq: FAQ });

  it.each([
    ['is there any parking near you', 'Yes, behind the house.'],
    ['when do you open', 'Nine to five.'],
    ['where are you', 'On Main Street.'],
    ['and what does it cost to have my hair cut', 'Thirty dollars.'],
    ['I would like to come by bike, but where are you', 'On Main Street.'],
  ])('to "%s" is found', (question, answer) => {
    expect(answerTo(question)).toBe(answer);
  });

  it.each(['do you sell bicycles', '', 'how much is it', 'how much is a beard trim', 'when is Easter'])(
    'to "%s" is not made up',
    (question) => {
      expect(answerTo(question)).toBeNull();
    },
  );

  it('is a whole statement of the sources or null, whatever is asked', () => {
    const words = fc.constantFrom(
      ...'how much is where when parking cost open the a haircut ? 5 , and'.split(' '),
    );
    const question = fc.oneof(
      fc.array(words, { maxLength: 12 }).map((list) => list.join(' ')),
      fc.string(),
    );
    const said = [
      'Yes, behind the house.',
      'Nine to five.',
      'On Main Street.',
      'Thirty dollars.',
      'Eighty dollars.',
    ];
    fc.assert(
      fc.property(question, (text) => {
        const answer = answerTo(text);
        expect(answer === null || said.includes(answer)).toBe(true);
      }),
      { numRuns: 300, seed: 4 },
    );
  });
});

describe('a fact of a prompt', () => {
  it.each([
    ['Tell them that delivery is free.', 'Delivery is free.'],
    ['Remind patients that they must bring their card.', 'You must bring your card.'],
    ['Customers can return shoes within thirty days.', 'You can return shoes within thirty days.'],
    ['If they cancel on the day, we charge half.', 'If you cancel on the day, we charge half.'],
    ['Showers and lockers are on the ground floor.', 'Showers and lockers are on the ground floor.'],
  ])('is read from "%s"', (sentence, fact) => {
    expect(readFact(sentence)).toEqual([fact]);
  });

  it.each([
    'You should always be polite and friendly.',
    'You help patients with bookings.',
    'You can offer a discount of ten percent.',
    'If they ask for a discount, we offer five percent.',
    'We never discuss prices on the phone.',
    'Answers must be short.',
    'It is important to be brief.',
    'Questions are asked one at a time.',
    'The caller may be angry.',
    'Politely decline when they are rude.',
    'Make the customer feel welcome.',
    'Prices are confidential.',
    'Do they have a car?',
  ])('is not read from the instruction "%s"', (sentence) => {
    expect(readFact(sentence)).toEqual([]);
  });
});
