import { describe, expect, it } from 'vitest';
import { callOf } from './test-call.ts';
import { unfollowed } from './unfollowed.ts';
import { wordingFor } from './wording.ts';

const NO_MODEL = { model: true, recogniser: false };
const partsOf = (script: string, { guidelines = '', introMessage = 'Hello.', lacks = NO_MODEL } = {}) =>
  unfollowed(
    {
      prompt: '',
      sections: [
        { title: 'Response Guidelines', content: guidelines },
        { title: 'Conversation Script', content: script },
      ],
      introMessage,
      agentName: 'Maya',
      wording: wordingFor('en-US'),
    },
    lacks,
  ).map(({ text, reason }) => `${reason}: ${text}`);

describe('the parts of a script that the brain without a model cannot follow', () => {
  it('are none in a script of known instructions', () => {
    const script = `1. Confirm you are speaking to Priya. If not, apologize and end the call politely.
2. Explain that her car service is due.
3. Ask whether she would like to book a slot this week. Wait for the answer.
4. If yes, ask for the preferred date and time and confirm it back.
5. If no, ask when she would like us to call again.
6. End with "Thank you for choosing AutoCare. Have a great day!"`;
    expect(partsOf(script, { guidelines: 'Be warm. Use short sentences.' })).toEqual([]);
  });

  it('are named with what happens instead', () => {
    const script = `1. Ask for their name.
2. Upsell the premium plan whenever it makes sense.
3. Calculate the monthly payment from the loan amount.
4. Book the appointment in the calendar.
5. Ask if they agree. If no, go to step 9.
6. Handle objections with empathy and data.`;
    expect(partsOf(script)).toEqual([
      'left_out: Upsell the premium plan whenever it makes sense.',
      'left_out: Calculate the monthly payment from the loan amount.',
      'not_done: Book the appointment in the calendar.',
      'left_out: Handle objections with empathy and data.',
      'no_step: go to step 9.',
    ]);
  });

  it('are at most 20, each once and short', () => {
    const line = (i: number): string => `Upsell plan number ${i} ${'again and again '.repeat(40)}.`;
    const parts = partsOf(Array.from({ length: 60 }, (_, i) => `${line(i % 30)}\n`).join(''));
    expect(parts).toHaveLength(20);
    expect(new Set(parts).size).toBe(20);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(230);
  });
});

describe('the questions of a script that a recogniser of phrases cannot hear the answers to', () => {
  const unheardIn = (script: string, introMessage = 'Hello.'): string[] =>
    partsOf(script, { introMessage, lacks: { model: false, recogniser: true } });

  it.each([
    'Ask for their full name and email address.',
    'Ask what they think about the service.',
    'Ask why they left.',
    'Ask what their budget is.',
    'Say: "Could you tell me your address?"',
    'If yes, ask for their name.',
  ])('are "%s"', (line) => {
    expect(unheardIn(`1. ${line}`)).toEqual([`unheard: ${line.replace('If yes, ', '')}`]);
  });

  it.each([
    'Ask for their preferred day and time.',
    'Ask if they will come.',
    'Ask how many guests are coming.',
    'Ask for their order number.',
    'Ask if they prefer tea, coffee or juice.',
    'Upsell the premium plan whenever it makes sense.',
  ])('are not "%s"', (line) => {
    expect(unheardIn(`1. ${line}`)).toEqual([]);
  });

  it('are found in other languages', () => {
    const parts = unfollowed(
      {
        prompt: '',
        sections: [
          {
            title: 'Conversation Script',
            content: '1. आपको हमारी सेवा कैसी लगी?\n2. क्या आप फिर आएँगे?\n3. ग्राहक का पता पूछें।',
          },
        ],
        introMessage: 'नमस्ते।',
        agentName: '',
        wording: wordingFor('hi-IN'),
      },
      { model: false, recogniser: true },
    );
    expect(parts).toEqual([
      { text: 'आपको हमारी सेवा कैसी लगी?', reason: 'unheard' },
      { text: 'ग्राहक का पता पूछें।', reason: 'unheard' },
    ]);
  });

  it('are those of an open first message', () => {
    expect(unheardIn('Be kind.', 'Hello, this is Maya. How can I help you?')).toEqual([
      'unheard: How can I help you?',
    ]);
    expect(unheardIn('Be kind.', 'Hello, is this a good time?')).toEqual([]);
  });
});

/** Instructions to an agent as people write them, none of which may be said to the caller. */
const INSTRUCTIONS = [
  'Upsell the premium plan whenever possible.',
  'Calculate the total and round it to the next hundred.',
  'Emphasise urgency without sounding pushy.',
  'Qualify the lead by budget, authority, need and timeline.',
  'Build rapport before moving to the pitch.',
  'Escalate to a supervisor after two failed attempts.',
  'Categorise the call as hot, warm or cold.',
  'Paraphrase complex answers in simple words.',
  'Mirror the pace and energy of the other side.',
  'Validate feelings, then redirect to the offer.',
  'De-escalate anger by lowering the pace.',
  'Troubleshoot the router step by step.',
  'Compare the two plans by price and speed.',
  'Negotiate down to ten percent at most.',
  'Quote 4,999 rupees as the starting price.',
  'Reassure warmly and keep answers under twenty words.',
  'Cross-check the order number against the database.',
  'Look up the account in the CRM.',
  'Generate a ticket with a summary of the complaint.',
  'Pitch the annual plan first, the monthly one second.',
  'Spell names back letter by letter.',
  'Skip the small talk with returning leads.',
  'Personalise the greeting using the first name.',
  'Summarise objections and counter each one.',
  'Detect sarcasm and answer lightly.',
  'You are Riya, a loan officer at QuickLoan.',
  'You are a friendly receptionist of a dental clinic.',
  'The goal is to book a site visit this week.',
  'Your role is to collect feedback in under two minutes.',
  'The call should never last longer than three minutes.',
  'This step is optional when time is short.',
  'With new leads, mention the discount twice.',
  'For urgent cases, prioritise same-day slots.',
  'Always steer back to the main question.',
  'Keep it short and sweet.',
  'Never promise a refund.',
  'Gauge interest on a scale from one to ten.',
  'Tailor the pitch to the industry.',
  'Adopt a calm and professional tone.',
  'Limit each turn to one question.',
  'Log the outcome as interested or not interested.',
  'Handle interruptions gracefully.',
  'Vary the wording between calls.',
  'Translate technical terms into everyday language.',
  'Probe deeper on vague answers.',
  'Nudge hesitant people towards a callback.',
  'Identify decision makers early in the call.',
  'Wrap each answer in a short acknowledgement.',
  'Use your best judgement on discounts.',
  'Fetch the latest balance before answering.',
] as const;

/** Lines that are said as they are written. */
const SPEECH = [
  'Our office is open from nine to five.',
  'Delivery is free this week.',
  'The test takes ten minutes.',
  'I am calling about the parcel.',
  'Your order has been shipped.',
  'You will receive a message with the details.',
  'Thank you for choosing AutoCare.',
  'Great to hear that.',
  'We look forward to seeing you.',
  'For orders above 500 rupees, delivery is free.',
  'Bring your card to the visit.',
  'There is a charge of 50 rupees.',
  'No problem at all.',
  'Have a great day!',
] as const;

describe('a script', () => {
  /** Everything that the agent says in a call whose caller says yes. */
  function saidIn(script: string): string {
    const call = callOf({ script });
    return Array.from({ length: 6 }, () => call.say('yes')).join(' ');
  }

  it.each(INSTRUCTIONS)('does not have the agent say its instruction "%s"', (instruction) => {
    const said = saidIn(`1. ${instruction}\n2. Ask if they agree.`);
    const [first = '', second = '', third = ''] = instruction.split(' ');
    expect(said).not.toContain(`${first} ${second} ${third}`);
    expect(said).toContain('Do you agree?');
  });

  it.each(SPEECH)('has the agent say its line "%s"', (line) => {
    expect(saidIn(`1. ${line}\n2. Ask if they agree.`)).toContain(line);
  });
});
