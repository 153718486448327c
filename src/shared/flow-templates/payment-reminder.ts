import type { FlowTemplate } from './template.ts';

export const PAYMENT_REMINDER: FlowTemplate = {
  id: 'payment_reminder',
  name: 'Payment reminder',
  summary: 'Checks who answers before it names the debt, and takes a day of payment.',
  type: 'outbound',
  company: 'Harbour Finance',
  opening: 'Hello, this is Harbour Finance.',
  objective: 'You remind {{callee_name}} of an invoice of {{amount}}.',
  guidelines: 'Polite and brief. Name the debt to {{callee_name}} alone. Never threaten.',
  task: 'Ask whether you speak with {{callee_name}}. Only then name the invoice, and ask for the day of payment.',
  flow: {
    start: 'person',
    variables: [{ name: 'pay_day', type: 'date' }],
    nodes: [
      {
        id: 'person',
        type: 'choose',
        ask: 'Am I speaking with {{callee_name}}?',
        answers: [
          { name: 'yes', phrases: ['speaking', 'that is me'] },
          { name: 'no', phrases: ['wrong number'] },
        ],
        edges: [
          { to: 'paid', answer: 'yes' },
          { to: 'other', answer: 'no' },
          { to: 'other', on: 'failed' },
        ],
      },
      {
        id: 'paid',
        type: 'choose',
        ask: 'Your invoice of {{amount}} is still open. Have you paid it already?',
        answers: [
          { name: 'yes', phrases: ['already paid'] },
          { name: 'no', phrases: ['not yet'] },
        ],
        edges: [
          { to: 'settled', answer: 'yes' },
          { to: 'pay_day', answer: 'no' },
          { to: 'letter', on: 'failed' },
        ],
      },
      {
        id: 'pay_day',
        type: 'collect',
        variable: 'pay_day',
        ask: 'On which day can you pay it?',
        edges: [{ to: 'promised' }, { to: 'letter', on: 'failed' }, { to: 'letter', on: 'refused' }],
      },
      { id: 'settled', type: 'end', say: 'Thank you. Then please ignore this call. Goodbye.' },
      { id: 'promised', type: 'end', say: 'Thank you, I have noted the day. Goodbye.' },
      { id: 'letter', type: 'end', say: 'We will write to you about it. Goodbye.' },
      { id: 'other', type: 'end', say: 'Sorry to disturb you. Goodbye.' },
    ],
  },
  goal: { name: 'paid', key: { type: 'boolean', description: 'The invoice is paid already.' } },
  cases: [
    {
      name: 'Takes a day of payment',
      custom_args_values: { callee_name: 'Priya', amount: '80 dollars' },
      lines: ['Yes.', 'No.', 'Friday.'],
      expectations: [
        { type: 'says', any_of: ['invoice of 80 dollars'], turn: 1 },
        { type: 'says', any_of: ['noted the day'], turn: 3 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Tells another person nothing of the debt',
      custom_args_values: { callee_name: 'Priya', amount: '80 dollars' },
      lines: ['No.'],
      expectations: [
        { type: 'never_says', any_of: ['invoice', '80'] },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Thanks a person who has paid',
      custom_args_values: { callee_name: 'Priya', amount: '80 dollars' },
      lines: ['Yes.', 'Yes.'],
      expectations: [
        { type: 'says', any_of: ['ignore this call'], turn: 2 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
  ],
};
