import type { FlowTemplate } from './template.ts';

export const SUPPORT_TRIAGE: FlowTemplate = {
  id: 'support_triage',
  name: 'Support triage',
  summary: 'Sorts problems by kind and urgency, and notes what happened.',
  type: 'inbound',
  company: 'Northwind Software',
  opening: 'Hello, this is the support of Northwind Software.',
  objective: 'You answer the support line of Northwind Software and sort problems.',
  guidelines: 'Calm, short sentences. One question at a time. Promise no repair.',
  task: 'Find out whether it is a fault, an invoice or a question, whether work has stopped, and what happened.',
  flow: {
    start: 'topic',
    variables: [
      { name: 'has_stopped', type: 'boolean' },
      { name: 'problem', type: 'text' },
    ],
    nodes: [
      {
        id: 'topic',
        type: 'choose',
        ask: 'Is it about a fault, an invoice, or a question?',
        answers: [
          { name: 'fault', phrases: ['problem', 'broken', 'does not work'] },
          { name: 'invoice', phrases: ['bill', 'payment'] },
          { name: 'question' },
        ],
        edges: [
          { to: 'has_stopped', answer: 'fault' },
          { to: 'problem', answer: 'invoice' },
          { to: 'problem', answer: 'question' },
          { to: 'problem', on: 'failed' },
        ],
      },
      {
        id: 'has_stopped',
        type: 'collect',
        variable: 'has_stopped',
        ask: 'Has your work stopped because of it?',
        edges: [{ to: 'problem' }, { to: 'problem', on: 'failed' }, { to: 'problem', on: 'refused' }],
      },
      {
        id: 'problem',
        type: 'collect',
        variable: 'problem',
        ask: 'Please tell me in one sentence what it is about.',
        edges: [
          { to: 'urgent', if: 'has_stopped' },
          { to: 'noted' },
          { to: 'noted', on: 'failed' },
          { to: 'noted', on: 'refused' },
        ],
      },
      { id: 'urgent', type: 'end', say: 'Thank you. I have marked it as urgent. Goodbye.' },
      { id: 'noted', type: 'end', say: 'Thank you. I have noted it, and a colleague will answer. Goodbye.' },
    ],
  },
  cases: [
    {
      name: 'Marks a fault that stops work as urgent',
      lines: ['A fault.', 'Yes.', 'Nobody can sign in.'],
      expectations: [
        { type: 'says', any_of: ['work stopped'], turn: 1 },
        { type: 'says', any_of: ['as urgent'], turn: 3 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Notes a question about an invoice',
      lines: ['An invoice.', 'The address on it is wrong.'],
      expectations: [
        { type: 'never_says', any_of: ['work stopped', 'as urgent'] },
        { type: 'says', any_of: ['a colleague will answer'], turn: 2 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
  ],
};
