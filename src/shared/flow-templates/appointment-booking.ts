import type { FlowTemplate } from './template.ts';

export const APPOINTMENT_BOOKING: FlowTemplate = {
  id: 'appointment_booking',
  name: 'Appointment booking',
  summary: 'Takes a name, the reason of the visit, a day and a time.',
  type: 'inbound',
  company: 'City Dental',
  opening: 'Hello, this is City Dental.',
  objective: 'You answer the phone of City Dental and take requests for appointments.',
  guidelines: 'Short, friendly sentences. One question at a time. Promise no slot: the practice confirms it.',
  task: 'Ask whether the caller wants an appointment, then for name, reason, day and time, and say that the practice confirms.',
  flow: {
    start: 'wish',
    variables: [
      { name: 'caller', type: 'text' },
      { name: 'reason', type: 'choice', values: ['check-up', 'cleaning', 'pain'] },
      { name: 'day', type: 'date' },
      { name: 'hour', type: 'time' },
    ],
    nodes: [
      {
        id: 'wish',
        type: 'choose',
        ask: 'Would you like to book an appointment?',
        answers: [
          { name: 'yes', phrases: ['an appointment', 'book'] },
          { name: 'no', phrases: ['something else'] },
        ],
        edges: [
          { to: 'caller', answer: 'yes' },
          { to: 'office', answer: 'no' },
          { to: 'office', on: 'failed' },
        ],
      },
      {
        id: 'caller',
        type: 'collect',
        variable: 'caller',
        kind: 'free',
        ask: 'May I have your name, please?',
        edges: [{ to: 'reason' }, { to: 'office', on: 'failed' }, { to: 'office', on: 'refused' }],
      },
      {
        id: 'reason',
        type: 'collect',
        variable: 'reason',
        ask: 'Is it for a check-up, a cleaning, or are you in pain?',
        edges: [
          { to: 'urgent', if: "reason == 'pain'" },
          { to: 'day' },
          { to: 'office', on: 'failed' },
          { to: 'day', on: 'refused' },
        ],
      },
      {
        id: 'day',
        type: 'collect',
        variable: 'day',
        ask: 'Which day suits you?',
        edges: [{ to: 'hour' }, { to: 'office', on: 'failed' }, { to: 'office', on: 'refused' }],
      },
      {
        id: 'hour',
        type: 'collect',
        variable: 'hour',
        ask: 'At what time?',
        edges: [{ to: 'noted' }, { to: 'office', on: 'failed' }, { to: 'office', on: 'refused' }],
      },
      {
        id: 'noted',
        type: 'end',
        say: 'Thank you. I have noted your request, and the practice will confirm it. Goodbye.',
      },
      {
        id: 'urgent',
        type: 'end',
        say: 'I am sorry to hear that. Please come today during opening hours. Goodbye.',
      },
      { id: 'office', type: 'end', say: 'The practice will call you back about it. Goodbye.' },
    ],
  },
  cases: [
    {
      name: 'Takes a request for a check-up',
      lines: ['Yes please.', 'Maria Lopez', 'A check-up.', 'Tuesday at ten am.'],
      expectations: [
        { type: 'says', any_of: ['your name'], turn: 1 },
        { type: 'says', any_of: ['which day'], turn: 3 },
        { type: 'says', any_of: ['the practice will confirm it'], turn: 4 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Sends a caller in pain at once',
      lines: ['Yes.', 'Sam Green', 'I am in pain.'],
      expectations: [
        { type: 'says', any_of: ['please come today'], turn: 3 },
        { type: 'never_says', any_of: ['which day'] },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
  ],
};
