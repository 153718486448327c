import type { FlowTemplate } from './template.ts';

export const APPOINTMENT_REMINDER: FlowTemplate = {
  id: 'appointment_reminder',
  name: 'Appointment reminder',
  summary: 'Confirms an appointment, or asks for another day.',
  type: 'outbound',
  company: 'City Dental',
  opening: 'Hello {{callee_name}}, this is City Dental.',
  objective: 'You remind {{callee_name}} of an appointment on {{visit_day}} at {{visit_time}}.',
  guidelines: 'Short, friendly sentences. One question at a time.',
  task: 'Ask whether the appointment still suits. If not, ask for another day or cancel it.',
  flow: {
    start: 'suits',
    variables: [{ name: 'new_day', type: 'date' }],
    nodes: [
      {
        id: 'suits',
        type: 'choose',
        ask: 'Does your appointment on {{visit_day}} at {{visit_time}} still suit you?',
        answers: [
          { name: 'yes', phrases: ['it does', 'I will be there'] },
          { name: 'no', phrases: ['another day', 'I cannot come'] },
          { name: 'cancel', phrases: ['cancel it'] },
        ],
        edges: [
          { to: 'kept', answer: 'yes' },
          { to: 'move', answer: 'no' },
          { to: 'cancelled', answer: 'cancel' },
          { to: 'office', on: 'failed' },
        ],
      },
      {
        id: 'move',
        type: 'choose',
        ask: 'Would you like another day?',
        answers: [{ name: 'yes' }, { name: 'no', phrases: ['cancel'] }],
        edges: [
          { to: 'new_day', answer: 'yes' },
          { to: 'cancelled', answer: 'no' },
          { to: 'office', on: 'failed' },
        ],
      },
      {
        id: 'new_day',
        type: 'collect',
        variable: 'new_day',
        ask: 'Which day suits you better?',
        edges: [{ to: 'moved' }, { to: 'office', on: 'failed' }, { to: 'office', on: 'refused' }],
      },
      { id: 'kept', type: 'end', say: 'Thank you. See you on {{visit_day}}. Goodbye.' },
      { id: 'moved', type: 'end', say: 'Thank you. We will call you with a new time. Goodbye.' },
      { id: 'cancelled', type: 'end', say: 'I have noted that you will not come. Goodbye.' },
      { id: 'office', type: 'end', say: 'A colleague will call you about it. Goodbye.' },
    ],
  },
  goal: {
    name: 'confirmed',
    key: { type: 'boolean', description: 'The appointment does still suit the person.' },
  },
  cases: [
    {
      name: 'Keeps the appointment',
      custom_args_values: { callee_name: 'Priya', visit_day: 'Tuesday', visit_time: 'ten' },
      lines: ['Yes, it does.'],
      expectations: [
        { type: 'says', any_of: ['Tuesday at ten'], turn: 0 },
        { type: 'says', any_of: ['see you on Tuesday'], turn: 1 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Takes another day',
      custom_args_values: { callee_name: 'Priya', visit_day: 'Tuesday', visit_time: 'ten' },
      lines: ['No.', 'Yes.', 'Friday.'],
      expectations: [
        { type: 'says', any_of: ['which day'], turn: 2 },
        { type: 'says', any_of: ['with a new time'], turn: 3 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Cancels it',
      custom_args_values: { callee_name: 'Priya', visit_day: 'Tuesday', visit_time: 'ten' },
      lines: ['No.', 'No.'],
      expectations: [
        { type: 'says', any_of: ['you will not come'], turn: 2 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
  ],
};
