import type { FlowTemplate } from './template.ts';

export const CALLBACK_REQUEST: FlowTemplate = {
  id: 'callback_request',
  name: 'Callback request',
  summary: 'Takes a name, a subject, a number and a day to call back.',
  type: 'inbound',
  company: 'Harbour Travel',
  opening: 'Hello, this is Harbour Travel. Our office is closed at the moment.',
  objective: 'You take requests to be called back while the office of Harbour Travel is closed.',
  guidelines: 'Short, friendly sentences. One question at a time. Promise no hour.',
  task: 'Ask whether the office may call back, then for name, subject, number and day.',
  flow: {
    start: 'wish',
    variables: [
      { name: 'caller', type: 'text' },
      { name: 'subject', type: 'text' },
      { name: 'number', type: 'text' },
      { name: 'day', type: 'date' },
    ],
    nodes: [
      {
        id: 'wish',
        type: 'choose',
        ask: 'Would you like us to call you back?',
        answers: [{ name: 'yes', phrases: ['call me back'] }, { name: 'no' }],
        edges: [
          { to: 'caller', answer: 'yes' },
          { to: 'bye', answer: 'no' },
          { to: 'bye', on: 'failed' },
        ],
      },
      {
        id: 'caller',
        type: 'collect',
        variable: 'caller',
        kind: 'free',
        ask: 'May I have your name, please?',
        edges: [{ to: 'subject' }, { to: 'subject', on: 'failed' }, { to: 'subject', on: 'refused' }],
      },
      {
        id: 'subject',
        type: 'collect',
        variable: 'subject',
        ask: 'What is it about?',
        edges: [{ to: 'number' }, { to: 'number', on: 'failed' }, { to: 'number', on: 'refused' }],
      },
      {
        id: 'number',
        type: 'collect',
        variable: 'number',
        kind: 'phone',
        ask: 'At which number can we reach you?',
        edges: [{ to: 'day' }, { to: 'bye', on: 'failed' }, { to: 'bye', on: 'refused' }],
      },
      {
        id: 'day',
        type: 'collect',
        variable: 'day',
        ask: 'On which day shall we call?',
        edges: [{ to: 'noted' }, { to: 'noted', on: 'failed' }, { to: 'noted', on: 'refused' }],
      },
      { id: 'noted', type: 'end', say: 'Thank you. I have noted it, and we will call you back. Goodbye.' },
      { id: 'bye', type: 'end', say: 'Please call us again during opening hours. Goodbye.' },
    ],
  },
  cases: [
    {
      name: 'Takes a number and a day',
      lines: ['Yes.', 'Maria Lopez', 'A trip to Norway', '415 555 2671', 'Monday.'],
      expectations: [
        { type: 'says', any_of: ['what is it about'], turn: 2 },
        { type: 'says', any_of: ['which number'], turn: 3 },
        { type: 'says', any_of: ['we will call you back'], turn: 5 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Lets a caller go who wants no callback',
      lines: ['No.'],
      expectations: [
        { type: 'says', any_of: ['opening hours'], turn: 1 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
  ],
};
