import { describe, expect, it } from 'vitest';
import { readConditional } from './condition.ts';
import { readFaqs } from './knowledge.ts';
import { readInstruction } from './instruction.ts';
import { readPurpose } from './purpose.ts';
import { splitSections } from './sections.ts';
import { sentences } from '@callwright/language';

const spokenAs = (instruction: string): string =>
  readInstruction(instruction, false)
    .map((unit) =>
      'question' in unit ? unit.question : 'text' in unit && unit.text !== '' ? unit.text : `<${unit.type}>`,
    )
    .join(' | ');

describe('instructions', () => {
  it.each([
    ['Ask for their preferred day.', 'What is your preferred day?'],
    [
      'Ask the customer for their full name and phone number',
      'What is your full name? | What is your phone number?',
    ],
    ['Ask if they have received the parcel.', 'Have you received the parcel?'],
    ['Ask whether the customer wants to renew the policy', 'Do you want to renew the policy?'],
    ['Ask the user if they are available tomorrow', 'Are you available tomorrow?'],
    ["Ask if they'd like to reschedule", 'Would you like to reschedule?'],
    ['Check if the patient has any allergies.', 'Do you have any allergies?'],
    ['Ask if the parcel has arrived', 'Has the parcel arrived?'],
    ['Ask if you can call back later', 'Can I call back later?'],
    ['Ask what time works best for them', 'What time works best for you?'],
    ['Ask what their budget is', 'What is your budget?'],
    ['Ask when they can come in', 'When can you come in?'],
    ['Ask how many people will attend', 'How many people will attend?'],
    ['Find out why they left', 'Why have you left?'],
    ['Ask them to rate the service from 1 to 5', 'Could you please rate the service from 1 to 5?'],
    ['Ask: "Would you like to continue?"', 'Would you like to continue?'],
    ['Confirm that they are the owner', 'Are you the owner?'],
    ['Confirm the appointment details with them', 'Can you confirm the appointment details with you?'],
    ['Tell them that their order has shipped.', 'Your order has shipped.'],
    ['Inform the customer that you are calling from Acme Bank', 'I am calling from Acme Bank.'],
    ['Remind them to bring their documents', 'Please remember to bring your documents.'],
    ['Offer a 10% discount', 'I can offer you a 10% discount. | Would you like that?'],
    ['Offer to send them a brochure', 'Would you like me to send you a brochure?'],
    ['Thank them for their time and end the call.', 'Thank you for your time. | <close>'],
    ['Apologize for the delay', 'I am sorry for the delay.'],
    ['Wish them a good day and say goodbye', 'Have a good day. | <close>'],
    ['Go back to step 2', '<goto>'],
    ['Transfer the call to a human agent', '<transfer>'],
    ['Ask when would be a good time to call back', '<callback>'],
    ['Wait for the response.', '<skip>'],
    ['Do not argue with the customer.', '<skip>'],
    ['The customer may be upset.', '<skip>'],
    ['Would you like morning or evening?', 'Would you like morning or evening?'],
    ['Our office is open from nine to five.', 'Our office is open from nine to five.'],
    ['Ask the following questions:', '<list_follows>'],
  ])('%s → %s', (instruction, speech) => expect(spokenAs(instruction)).toBe(speech));

  it('have the answer kind of their question', () => {
    const kind = (instruction: string): string | undefined => {
      const unit = readInstruction(instruction, false).at(-1);
      return unit?.type === 'ask' ? [unit.answer, ...unit.choices].join(' ') : unit?.type;
    };
    expect(kind('Ask for their preferred day')).toBe('date');
    expect(kind('Ask for their order number')).toBe('digits');
    expect(kind('Ask how many guests are coming')).toBe('number');
    expect(kind('Ask what time suits them')).toBe('time');
    expect(kind('Ask their name')).toBe('name');
    expect(kind('Ask if they prefer tea, coffee or juice')).toBe('choice tea coffee juice');
    expect(kind('Ask if they have any questions or concerns')).toBe('yes_no');
    expect(kind('Ask what they think about the service')).toBe('free');
  });
});

describe('conditions', () => {
  it.each([
    ['If yes, thank them.', 'yes', 'thank them.'],
    ['If they say no: ask why.', 'no', 'ask why.'],
    ['If the customer agrees, book it', 'yes', 'book it'],
    ['If they cannot attend, offer another day', 'no', 'offer another day'],
    ['Otherwise, end the call.', 'otherwise', 'end the call.'],
    ['If they are busy, ask when to call back.', 'busy', 'ask when to call back.'],
    ['If not interested - thank them', 'not_interested', 'thank them'],
    ['If it is the wrong person, apologize', 'wrong_person', 'apologize'],
    ['If they want to reschedule, ask for a new day', 'words', 'ask for a new day'],
    ['No -> end the call', 'no', 'end the call'],
    ['Offer a discount if they hesitate.', 'words', 'Offer a discount'],
  ])('%s', (sentence, type, body) => {
    const read = readConditional(sentence);
    expect([read?.when.type, read?.body]).toEqual([type, body]);
  });
  it('exclude indirect questions', () => {
    expect(readConditional('Ask if they are coming')).toBeNull();
    expect(readConditional('Tell them the price')).toBeNull();
  });
});

describe('FAQ', () => {
  it('is parsed from its usual layouts', () => {
    const text =
      'Q: Where are you?\nA: On Main Street.\n\nDo you open on Sunday? No, we are closed.\nWhat does it cost?\nIt costs ten dollars.\nParking: Behind the house.';
    expect(readFaqs(text)).toEqual([
      { question: 'Where are you?', answer: 'On Main Street.' },
      { question: 'Do you open on Sunday?', answer: 'No, we are closed.' },
      { question: 'What does it cost?', answer: 'It costs ten dollars.' },
      { question: 'Parking', answer: 'Behind the house.' },
    ]);
  });
});

describe('prompts', () => {
  it('yield who calls and why', () => {
    expect(
      readPurpose('You are Maya from City Dental. Your goal is to remind the patient about their visit.', ''),
    ).toEqual({
      who: 'I am Maya from City Dental.',
      why: 'I am calling to remind you about your visit.',
    });
    expect(readPurpose('', 'Maya').who).toBeNull();
  });
  it('are split at their headings when they are one text', () => {
    const parts = splitSections(
      [],
      '# Objective\nSell tea.\n# Task\nAsk for their name.\n# FAQs\nQ: Price?\nA: Ten.',
    );
    expect([parts.objective.trim(), parts.script.trim(), parts.faqs.trim()]).toEqual([
      'Sell tea.',
      'Ask for their name.',
      'Q: Price?\nA: Ten.',
    ]);
  });
  it('keep sample conversations out of the script', () => {
    const parts = splitSections(
      [
        {
          title: 'Conversation Script',
          content: 'Ask for their name.\n\nUser: How long does it take?\nAgent: Five minutes.',
        },
      ],
      '',
    );
    expect(parts.script.trim()).toBe('Ask for their name.');
    expect(parts.samples).toEqual([{ question: 'How long does it take?', answer: 'Five minutes.' }]);
  });
  it('break into sentences, not at abbreviations or decimals', () => {
    expect(sentences('Ask Dr. Rao. It costs 4.50 dollars! "Is it ok? Fine." नमस्ते। ठीक।')).toEqual([
      'Ask Dr. Rao.',
      'It costs 4.50 dollars!',
      '"Is it ok? Fine." नमस्ते।',
      'ठीक।',
    ]);
  });
});
