import { describe, expect, it } from 'vitest';
import { named, replay, type Conversation } from '../../../test/helpers/agents/conversations.ts';

const CONVERSATIONS: readonly Conversation[] = [
  {
    title: 'a sales call under headings',
    agent: {
      introMessage: 'Hi, am I speaking with Priya?',
      objective:
        'You are Riya, a friendly loan officer at QuickLoan. Your goal is to check if the customer is interested in a personal loan and collect basic details.',
      script: `## Step 1: Confirm identity
- If the person is not Priya, apologize and end the call.
## Step 2: Introduce the offer
- Tell the customer about our pre-approved personal loan up to 5 lakh rupees at 11% interest.
- Ask if they are interested.
  - If interested → proceed to Step 3
  - If not interested → thank them and end the call
  - If busy → ask for a convenient time to call back
## Step 3: Collect details
Collect the following details:
- Monthly income
- Employment type (salaried or self-employed)
- City
## Step 4: Close
Let them know that a loan officer will contact them within 24 hours. Thank them and end the call.`,
    },
    calls: [
      [
        [
          'yes',
          'Got it. I would like to tell you about our pre-approved personal loan up to 5 lakh rupees at 11% interest. Are you interested?',
        ],
        ['yes', 'Alright. What is your monthly income?'],
        ['fifty thousand', 'That is 50000, correct?'],
        ['yes', 'Sure. What is your employment type: salaried or self-employed?'],
        ['salaried', 'Okay. What is your city?'],
        [
          'Pune',
          'Got it. A loan officer will contact you within 24 hours. Thank you for your time. Goodbye! [end_call]',
        ],
        ['bye', 'Thank you. Have a good day. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a service booking with numbered branches',
    agent: {
      introMessage: 'Hi, am I speaking with Priya?',
      script: `1. Confirm you are speaking to Priya. If not, apologize and end the call politely.
2. Explain that her car service is due.
3. Ask whether she would like to book a slot this week.
4. If yes, ask for the preferred date and time and confirm it back.
5. If no, ask when she would like us to call again.
6. End with "Thank you for choosing AutoCare. Have a great day!"`,
    },
    calls: [
      [
        ['yes this is she', 'Got it. Your car service is due. Would you like to book a slot this week?'],
        ['yes', 'Alright. What is your preferred date?'],
        ['friday', 'That is Friday, correct?'],
        ['yes', 'Sure. What time would suit you?'],
        ['11 am', 'That is 11 am, correct?'],
        ['yes', 'Got it. Let me confirm: preferred date, Friday; time, 11 am. Is that right?'],
        ['yes', 'Alright. Thank you for choosing AutoCare. Have a great day! [end_call]'],
      ],
      [['no', 'Got it. I am sorry about that. Thank you. Have a good day. Goodbye! [end_call]']],
      [
        ['yes', 'Got it. Your car service is due. Would you like to book a slot this week?'],
        ['no', 'Alright. When would be a good time to call you back?'],
        [
          'next monday at ten',
          'Sure. Thank you for choosing AutoCare. Have a great day! [schedule_callback] [end_call]',
        ],
      ],
    ],
  },
  {
    title: 'a script that is a dialogue',
    agent: {
      introMessage: 'Hello!',
      script: `Agent: Hi, this is Tom from FreshMart. We noticed you left items in your cart.
User: Oh yes.
Agent: Would you like help completing the order?
User: Sure.
Agent: Great, I will text you the link. Goodbye!`,
    },
    calls: [
      [
        [
          'hi',
          'Hi, this is Tom from FreshMart. We noticed you left items in your cart. Would you like help completing the order?',
        ],
        ['yes', 'Alright. Great, I will text you the link. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'the demo agent',
    agent: {
      introMessage: 'Hello! This is the demo agent of Callwright. Shall we try booking an appointment?',
      script: `1. Ask which day suits them.
2. Ask how many people are coming.
3. Confirm the details.
4. Thank them and say goodbye.`,
      objective: 'Show how a call works.',
    },
    calls: [
      [
        ['yes', 'Got it. Which day suits you?'],
        ['monday', 'You said Monday, right?'],
        ['yes', 'Thank you. How many people are coming?'],
        ['three', 'You said 3, right?'],
        ['yes', 'Okay. Let me confirm: day, Monday; people, 3. Is that right?'],
        ['yes', 'Got it. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'answers only',
    agent: {
      introMessage: 'Hello, how can I help you?',
      callDirection: 'inbound',
      objective: 'You are the assistant of Green Gym.',
      faq: `1. How much is a membership?
A membership is thirty dollars a month.
2. Do you have a pool?
Yes, we have a heated pool.`,
    },
    calls: [
      [
        [
          'how much does membership cost',
          'A membership is thirty dollars a month. Is there anything else I can help you with?',
        ],
        [
          'do you have a sauna',
          'I am sorry, I do not know that. Is there anything else I can help you with?',
        ],
        ['no', 'Thank you. Have a good day. Goodbye! [end_call]'],
      ],
      [
        [
          'I would like to cancel my card',
          'I am sorry, that is something I do not know. Is there anything else I can help you with?',
        ],
        ['yes', 'How may I help you?'],
        ['is there a pool?', 'Yes, we have a heated pool. Is there anything else I can help you with?'],
        ['thank you', 'You are welcome. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
];

describe.each(CONVERSATIONS)('$title', (conversation) => {
  it.each(named(conversation.calls))('$first', ({ lines }) => {
    expect(replay(conversation, lines)).toEqual(lines);
  });
});
