import { describe, expect, it } from 'vitest';
import { named, replay, type Conversation } from '../../../test/helpers/agents/conversations.ts';

const CONVERSATIONS: readonly Conversation[] = [
  {
    title: 'an appointment reminder',
    agent: {
      introMessage: 'Hello, this is Maya from City Dental. Am I speaking with Ravi?',
      objective:
        'You are Maya, a receptionist from City Dental calling to remind the patient about their appointment on Friday at 3 pm.',
      script: `1. Greet the patient and confirm you are speaking with Ravi.
2. Remind them that their appointment is on Friday at 3 pm.
3. Ask if they can attend.
   - If yes, tell them to arrive ten minutes early.
   - If no, ask for their preferred day and time, then confirm the new appointment.
4. Ask if they have any questions.
5. Thank them and say goodbye.`,
      faq: `Q: Where is the clinic located?
A: We are at 12 Main Street, next to the post office.
Q: How much does the check-up cost?
A: A check-up costs fifty dollars.`,
    },
    calls: [
      [
        [
          'yes',
          'Got it. I would like to remind you that your appointment is on Friday at 3 pm. Can you attend?',
        ],
        ['yes', 'Alright. Please arrive ten minutes early. Do you have any questions?'],
        ['no', 'Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        [
          'speaking',
          'Got it. I would like to remind you that your appointment is on Friday at 3 pm. Can you attend?',
        ],
        ['no', 'Alright. What is your preferred day?'],
        ['Tuesday at three pm', 'That is Tuesday at 3 pm, correct?'],
        ['yes', 'Sure. Let me confirm: preferred day, Tuesday at 3 pm. Is that right?'],
        ['yes', 'Okay. Do you have any questions?'],
        [
          'where is the clinic',
          'We are at 12 Main Street, next to the post office. Do you have any questions?',
        ],
        ['no', 'Alright. Thank you for your time. Goodbye! [end_call]'],
      ],
      [['wrong number', 'I am sorry to have bothered you. Goodbye! [end_call]']],
      [
        [
          'yes',
          'Got it. I would like to remind you that your appointment is on Friday at 3 pm. Can you attend?',
        ],
        [
          'who is this',
          'I am Maya from City Dental. I am calling to remind you about your appointment on Friday at 3 pm. Can you attend?',
        ],
        [
          'why are you calling',
          'I am calling to remind you about your appointment on Friday at 3 pm. Can you attend?',
        ],
        ['are you a robot', 'Yes, I am an automated assistant. Can you attend?'],
        ['how much is a check up', 'A check-up costs fifty dollars. Can you attend?'],
        ['stop calling me', 'I am sorry for the trouble. We will not call you again. Goodbye! [opt_out]'],
      ],
      [['no', 'I am sorry to have bothered you. Goodbye! [end_call]']],
    ],
  },
  {
    title: 'a payment reminder',
    agent: {
      introMessage: 'Good morning, this is Anita from Secure Bank.',
      objective:
        'Remind the borrower that their EMI of 4,500 rupees is due on 5 May and understand when they will pay.',
      guidelines: `Be polite. Never threaten.
If they ask about an extension, tell them that a colleague will call them.`,
      script: `Inform the customer that the EMI of 4,500 rupees is due on 5 May. Ask when they will make the payment.
If the customer says they have already paid, thank them and end the call.
If they are unable to pay, ask for the reason and let them know that a late fee applies after 10 May.
Do not threaten the customer. Wait for the response.
End the call by thanking the customer for their time.`,
      faq: '**What is the late fee?** The late fee is 500 rupees.',
    },
    calls: [
      [
        ['yes', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['can I get an extension', 'A colleague will call you. When will you make the payment?'],
        ['what is the late fee?', 'The late fee is 500 rupees. When will you make the payment?'],
        ['on friday', 'You said Friday, right?'],
        ['yes', 'Okay. Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['yes', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['I have already paid it', 'Alright. Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['hello', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['I cannot pay now', 'Alright. What is the reason?'],
        [
          'I lost my job',
          'Thank you. A late fee applies after 10 May. Thank you for your time. Goodbye! [end_call]',
        ],
      ],
      [
        ['hello', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['call me later', 'When would be a good time to call you back?'],
        [
          'tomorrow morning',
          'Thank you, we will call you back tomorrow morning. Goodbye! [schedule_callback] [end_call]',
        ],
      ],
      [
        ['yes', 'The EMI of 4,500 rupees is due on 5 May. When will you make the payment?'],
        ['banana', 'Sorry, I did not catch that. When will you make the payment?'],
        [
          'banana',
          'Sorry, I did not quite understand. When will you make the payment? Press 1 for Monday, 2 for Tuesday, up to 7 for Sunday.',
        ],
        ['banana', 'Sure. Thank you for your time. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a delivery confirmation',
    agent: {
      introMessage: 'Hello, I am calling from Fast Parcel about your delivery.',
      objective: 'Confirm that the parcel arrived.',
      tools: [{ name: 'transfer_call', description: '', parameters: {} }],
      script: `Ask the customer whether they received the parcel today.
If yes: ask them to rate the delivery from 1 to 5, thank them, end the call.
If no: apologize for the delay and ask if they prefer morning or evening delivery.
Tell them that the courier will call before arriving.
Say goodbye.`,
    },
    calls: [
      [
        ['ok', 'Have you received the parcel today?'],
        ['yes', 'Alright. Could you please rate the delivery from 1 to 5?'],
        ['five', 'That is 5, correct?'],
        ['yes', 'Sure. Thank you for your time. Goodbye! [end_call]'],
      ],
      [
        ['ok', 'Have you received the parcel today?'],
        ['no', 'Alright. I am sorry for the delay. Do you prefer morning or evening delivery?'],
        [
          'evening',
          'Thank you. The courier will call before arriving. Thank you. Have a good day. Goodbye! [end_call]',
        ],
      ],
      [
        ['hello', 'Have you received the parcel today?'],
        ['i want to speak to a human', 'One moment please, I will connect you. [transfer_call]'],
      ],
      [
        ['ok', 'Have you received the parcel today?'],
        [
          'i do not know',
          'Alright. The courier will call before arriving. Thank you for your time. Goodbye! [end_call]',
        ],
        ['bye', 'Thank you. Have a good day. Goodbye! [end_call]'],
      ],
    ],
  },
  {
    title: 'a reminder in running text',
    agent: {
      introMessage: 'Hello, this is the City Library calling.',
      script:
        'You need to inform the member that their book is overdue by five days. Then ask them to return it by Friday. If they ask about the fine, tell them it is two dollars a day. If they say they lost the book, tell them they can pay for it at the front desk. Finally, say goodbye.',
    },
    calls: [
      [
        ['ok', 'Your book is overdue by five days. Could you please return it by Friday?'],
        ['what is the fine?', 'It is two dollars a day. Could you please return it by Friday?'],
        [
          'I lost the book',
          'Thank you. You can pay for it at the front desk. Thank you. Have a good day. Goodbye! [end_call]',
        ],
      ],
    ],
  },
];

describe.each(CONVERSATIONS)('$title', (conversation) => {
  it.each(named(conversation.calls))('$first', ({ lines }) => {
    expect(replay(conversation, lines)).toEqual(lines);
  });
});
