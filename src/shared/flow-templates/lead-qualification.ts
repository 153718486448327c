import type { FlowTemplate } from './template.ts';

export const LEAD_QUALIFICATION: FlowTemplate = {
  id: 'lead_qualification',
  name: 'Lead qualification',
  summary: 'Asks about need, team size and time, and tells leads for sales from others.',
  type: 'outbound',
  company: 'Northwind Software',
  opening: 'Hello {{callee_name}}, this is Northwind Software. You asked about our booking system.',
  objective: 'You find out whether {{callee_name}} may buy the booking system of Northwind Software soon.',
  guidelines: 'Short, friendly sentences. One question at a time. Quote no prices.',
  task: 'Ask whether it is a good time, how many people work there, and when they want to start.',
  flow: {
    start: 'good_time',
    variables: [
      { name: 'people', type: 'number' },
      { name: 'start_in', type: 'choice', values: ['this month', 'this year', 'later'] },
    ],
    nodes: [
      {
        id: 'good_time',
        type: 'choose',
        ask: 'Do you have a minute for two questions?',
        answers: [{ name: 'yes' }, { name: 'no', phrases: ['not now', 'bad time'] }],
        edges: [
          { to: 'people', answer: 'yes' },
          { to: 'later', answer: 'no' },
          { to: 'later', on: 'failed' },
        ],
      },
      {
        id: 'people',
        type: 'collect',
        variable: 'people',
        ask: 'How many people work in your company?',
        edges: [{ to: 'start_in' }, { to: 'later', on: 'failed' }, { to: 'start_in', on: 'refused' }],
      },
      {
        id: 'start_in',
        type: 'collect',
        variable: 'start_in',
        ask: 'Would you like to start this month, this year, or later?',
        edges: [
          { to: 'sales', if: "people >= 10 && start_in != 'later'" },
          { to: 'material' },
          { to: 'material', on: 'failed' },
          { to: 'material', on: 'refused' },
        ],
      },
      {
        id: 'sales',
        type: 'end',
        say: 'Thank you. A colleague from sales will call you within a day. Goodbye.',
      },
      { id: 'material', type: 'end', say: 'Thank you. We will send you our overview. Goodbye.' },
      { id: 'later', type: 'end', say: 'No problem, we will try another time. Goodbye.' },
    ],
  },
  goal: {
    name: 'start',
    key: {
      type: 'enum',
      description: 'When they would like to start.',
      values: ['this month', 'this year', 'later'],
    },
  },
  cases: [
    {
      name: 'Passes a large company to sales',
      custom_args_values: { callee_name: 'Priya' },
      lines: ['Yes.', 'Forty.', 'This month.'],
      expectations: [
        { type: 'says', any_of: ['how many people'], turn: 1 },
        { type: 'says', any_of: ['from sales will call you'], turn: 3 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Sends material to a small company',
      custom_args_values: { callee_name: 'Priya' },
      lines: ['Yes.', 'Three.', 'Later.'],
      expectations: [
        { type: 'says', any_of: ['our overview'], turn: 3 },
        { type: 'never_says', any_of: ['from sales'] },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Leaves a busy person alone',
      custom_args_values: { callee_name: 'Priya' },
      lines: ['No, not now.'],
      expectations: [
        { type: 'says', any_of: ['another time'], turn: 1 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
  ],
};
