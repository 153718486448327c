import { describe, expect, it } from 'vitest';
import { named, replay, type Conversation } from '../../../test/helpers/agents/conversations.ts';

const CONVERSATIONS: readonly Conversation[] = [
  {
    title: 'a survey in quoted questions',
    agent: {
      introMessage: 'Hello! We are running a short survey about your last visit. Do you have a minute?',
      objective: 'Collect feedback from customers about their last visit to the store.',
      script: `Step 1: "On a scale of 1 to 5, how would you rate your visit?"
Step 2: If the rating is below 3, ask what went wrong. If it is 4 or more, ask what they liked most.
Step 3: "Would you recommend us to a friend?"
Step 4: Say "Thank you for your feedback. Have a great day!" and end the call.`,
    },
    calls: [
      [
        ['sure', 'Got it. On a scale of 1 to 5, how would you rate your visit?'],
        ['two', 'You said 2, right?'],
        ['yes', 'Thank you. What went wrong?'],
        ['the queue was long', 'Sure. Would you recommend us to a friend?'],
        ['no', 'Okay. Thank you for your feedback. Have a great day! [end_call]'],
      ],
      [
        ['ok', 'Got it. On a scale of 1 to 5, how would you rate your visit?'],
        ['five', 'You said 5, right?'],
        ['yes', 'Thank you. What have you liked most?'],
        ['the staff', 'Sure. Would you recommend us to a friend?'],
        ['yes', 'Okay. Thank you for your feedback. Have a great day! [end_call]'],
      ],
      [
        ['no I am driving', 'When would be a good time to call you back?'],
        [
          'at six in the evening',
          'Thank you, we will call you back at 6 in the evening. Goodbye! [schedule_callback] [end_call]',
        ],
      ],
      [['not interested', 'No problem, thank you for your time. Goodbye! [end_call]']],
    ],
  },
  {
    title: 'lead qualification in prose',
    agent: {
      introMessage: 'Hi, this is Sam calling from Bright Solar. Do you have a minute to talk?',
      objective: 'Qualify homeowners interested in solar panels and book a visit.',
      script: `Ask if they own their home. If no, thank them and end the call. If yes, ask about their average monthly electricity bill.
Then ask what type of roof they have: flat or sloped.
Ask for their name and phone number.
Offer to schedule a free site visit. If they agree, ask for their preferred day. Otherwise, thank them for their time and end the call.
Confirm the details and end the call politely.`,
    },
    calls: [
      [
        ['sure', 'Got it. Do you own your home?'],
        ['yes', 'Alright. Could you tell me about your average monthly electricity bill?'],
        ['about two hundred dollars', 'Thank you. What type of roof do you have: flat or sloped?'],
        ['sloped', 'Sure. What is your name?'],
        ['john smith', 'That is John Smith, correct?'],
        ['yes', 'Got it. What is your phone number?'],
        ['nine eight seven six five', 'That is 98765, correct?'],
        ['yes', 'Thank you. Would you like me to schedule a free site visit?'],
        ['yes', 'Sure. What is your preferred day?'],
        ['monday', 'You said Monday, right?'],
        [
          'yes',
          'Got it. Let me confirm: about two hundred dollars; type of roof, sloped; name, John Smith; phone number, 98765; preferred day, Monday. Is that right?',
        ],
        ['yes', 'Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['ok', 'Got it. Do you own your home?'],
        ['no', 'Alright. Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['yes', 'Got it. Do you own your home?'],
        ['yes', 'Alright. Could you tell me about your average monthly electricity bill?'],
        ['100', 'Thank you. What type of roof do you have: flat or sloped?'],
        ['the first one', 'Sure. What is your name?'],
        ['Ana', 'That is Ana, correct?'],
        ['right', 'Got it. What is your phone number?'],
        ['12345', 'That is 12345, correct?'],
        ['correct', 'Thank you. Would you like me to schedule a free site visit?'],
        ['no thank you', 'Sure. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a restaurant that is called',
    agent: {
      introMessage: "Thank you for calling Roma's. How may I help you?",
      callDirection: 'inbound',
      objective: 'You answer calls for a restaurant and take table bookings.',
      script: `- Ask how many people the table is for.
- Ask for the date and time.
- Ask for the caller's name.
- Confirm the booking.`,
      faq: `What are your opening hours? We are open from noon to eleven every day.
Do you have parking? Yes, there is free parking behind the restaurant.`,
    },
    calls: [
      [
        [
          'do you have parking',
          'Yes, there is free parking behind the restaurant. How many people is the table for?',
        ],
        ['four', 'You said 4, right?'],
        ['yes', 'Thank you. Which day would suit you?'],
        ['tomorrow at seven pm', 'You said tomorrow at 7 pm, right?'],
        ['yes', 'Okay. What is your name?'],
        ['my name is Anna', 'You said Anna, right?'],
        ['yes', 'Alright. Let me confirm: people, 4; day, tomorrow at 7 pm; name, Anna. Is that right?'],
        ['no', 'No problem, let us go over it again. How many people is the table for?'],
        ['five', 'That is 5, correct?'],
        ['yes', 'Okay. Which day would suit you?'],
        ['Friday', 'That is Friday, correct?'],
        ['yes', 'Alright. What time would suit you?'],
        ['eight pm', 'That is 8 pm, correct?'],
        ['yes', 'Sure. What is your name?'],
        ['Anna', 'That is Anna, correct?'],
        ['yes', 'Got it. Let me confirm: people, 5; day, Friday; time, 8 pm; name, Anna. Is that right?'],
        ['yes', 'Alright. Is there anything else I can help you with?'],
        [
          'when do you open',
          'We are open from noon to eleven every day. Is there anything else I can help you with?',
        ],
        ['no thank you', 'Thank you. Have a good day. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a hotel survey',
    agent: {
      introMessage: 'Hi there, it is Zoe from Hotel Blue. How was your stay with us?',
      script:
        "Listen to the guest's feedback and acknowledge it. Ask them to rate their stay on a scale of 1-10. If the rating is 7 or below, ask what we could improve. Ask if they would stay with us again. Thank the guest warmly and wish them a wonderful day.",
    },
    calls: [
      [
        ['it was great', 'Got it. Could you please rate your stay on a scale of 1-10?'],
        ['6', 'You said 6, right?'],
        ['yes', 'Thank you. What could we improve?'],
        ['the breakfast', 'Sure. Would you stay with us again?'],
        ['yes', 'Okay. Thank you for your time. Have a wonderful day. [end_call]'],
      ],
    ],
  },
];

describe.each(CONVERSATIONS)('$title', (conversation) => {
  it.each(named(conversation.calls))('$first', ({ lines }) => {
    expect(replay(conversation, lines)).toEqual(lines);
  });
});
