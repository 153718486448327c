import type { FlowTemplate } from './template.ts';

export const ORDER_STATUS: FlowTemplate = {
  id: 'order_status',
  name: 'Order status',
  summary: 'Tells where an order is and when it comes, and takes another day for it.',
  type: 'outbound',
  company: 'Harbour Foods',
  opening: 'Hello {{callee_name}}, this is Harbour Foods about your order {{order_number}}.',
  objective: 'You tell {{callee_name}} that the order {{order_number}} is {{order_status}}.',
  guidelines: 'Short, friendly sentences. Say nothing about payments.',
  task: 'Say the status and the delivery day, ask whether it suits, and take another day if not.',
  flow: {
    start: 'status',
    variables: [{ name: 'new_day', type: 'date' }],
    nodes: [
      {
        id: 'status',
        type: 'say',
        text: 'Your order is {{order_status}}.',
        edges: [{ to: 'suits' }],
      },
      {
        id: 'suits',
        type: 'choose',
        ask: 'It arrives on {{delivery_day}}. Will someone be at home?',
        answers: [{ name: 'yes' }, { name: 'no', phrases: ['nobody is there', 'another day'] }],
        edges: [
          { to: 'fixed', answer: 'yes' },
          { to: 'new_day', answer: 'no' },
          { to: 'fixed', on: 'failed' },
        ],
      },
      {
        id: 'new_day',
        type: 'collect',
        variable: 'new_day',
        ask: 'On which day will someone be at home?',
        edges: [{ to: 'moved' }, { to: 'call_back', on: 'failed' }, { to: 'call_back', on: 'refused' }],
      },
      { id: 'fixed', type: 'end', say: 'Then we deliver on {{delivery_day}}. Goodbye.' },
      { id: 'moved', type: 'end', say: 'Thank you. I have noted the other day. Goodbye.' },
      { id: 'call_back', type: 'end', say: 'A colleague will call you about the day. Goodbye.' },
    ],
  },
  goal: {
    name: 'at_home',
    key: { type: 'boolean', description: 'Someone will be at home when it arrives.' },
  },
  cases: [
    {
      name: 'Tells the status and keeps the day',
      custom_args_values: {
        callee_name: 'Priya',
        order_number: '4471',
        order_status: 'on its way',
        delivery_day: 'Thursday',
      },
      lines: ['Yes.'],
      expectations: [
        { type: 'says', any_of: ['your order is on its way'], turn: 0 },
        { type: 'says', any_of: ['we deliver on Thursday'], turn: 1 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Takes another day of delivery',
      custom_args_values: {
        callee_name: 'Priya',
        order_number: '4471',
        order_status: 'packed',
        delivery_day: 'Thursday',
      },
      lines: ['No.', 'Saturday.'],
      expectations: [
        { type: 'says', any_of: ['which day'], turn: 1 },
        { type: 'says', any_of: ['noted the other day'], turn: 2 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
  ],
};
