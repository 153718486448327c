import type { Flow } from '../../../src/voice/flow/document.ts';
import type { KnownAgent } from '../../../src/voice/flow/check/tools.ts';

/** An agent with a tool that books, one that transfers, and one that waits for keys. */
export const DENTAL_AGENT: KnownAgent = {
  variables: ['callee_name', 'mobile_number'],
  tools: [
    {
      name: 'book',
      kind: 'request',
      arguments: [
        { name: 'day', type: 'text', isRequired: true, isSensitive: false },
        { name: 'people', type: 'number', isRequired: false, isSensitive: false },
        { name: 'pin', type: 'text', isRequired: false, isSensitive: true },
      ],
    },
    { name: 'front_desk', kind: 'transfer', arguments: [] },
    { name: 'wait_for_keys', kind: 'other', arguments: [] },
  ],
  agents: [
    { id: '0190a2f4-0000-7000-8000-000000000001', name: 'Billing', language: 'en-US' },
    { id: '0190a2f4-0000-7000-8000-000000000002', name: 'Rechnung', language: 'hi-IN' },
  ],
  languages: ['en-US'],
  voices: [
    { id: '0190a2f4-0000-7000-8000-00000000000b', name: 'Asha', languages: ['en-US'] },
    { id: '0190a2f4-0000-7000-8000-00000000000c', name: 'Mira', languages: ['hi-IN'] },
  ],
  knowledge: ['0190a2f4-0000-7000-8000-00000000000a'],
  hasServers: false,
};

/** A flow of every kind of node that runs without a model, without a fault. A new object each time, so that a test may change it. */
export const dentalFlow = (): Flow => ({
  start: 'greet',
  stuck: 'sorry',
  variables: [
    { name: 'reason', type: 'choice', values: ['check-up', 'pain'] },
    { name: 'day', type: 'date' },
    { name: 'hour', type: 'time' },
    { name: 'people', type: 'number', value: 1 },
    { name: 'insured', type: 'boolean' },
    { name: 'pin', type: 'text', sensitive: true },
    { name: 'tries', type: 'number', value: 0 },
  ],
  nodes: [
    {
      id: 'greet',
      type: 'say',
      text: 'Hello {{callee_name}}, this is City Dental.',
      edges: [{ to: 'want' }],
    },
    {
      id: 'want',
      type: 'choose',
      ask: 'Do you want to book, or to cancel?',
      answers: [{ name: 'book', phrases: ['an appointment'] }, { name: 'cancel' }],
      edges: [
        { to: 'reason', answer: 'book' },
        { to: 'bye', answer: 'cancel', say: 'I have cancelled it.' },
        { to: 'desk', on: 'failed' },
      ],
    },
    {
      id: 'reason',
      type: 'collect',
      variable: 'reason',
      ask: 'Is it a check-up, or are you in pain?',
      edges: [{ to: 'desk', if: "reason == 'pain'" }, { to: 'day' }, { to: 'desk', on: 'refused' }],
    },
    { id: 'day', type: 'collect', variable: 'day', ask: 'Which day suits you?', edges: [{ to: 'hour' }] },
    { id: 'hour', type: 'collect', variable: 'hour', ask: 'At what time?', edges: [{ to: 'people' }] },
    { id: 'people', type: 'collect', variable: 'people', ask: 'For how many?', edges: [{ to: 'insured' }] },
    { id: 'insured', type: 'collect', variable: 'insured', ask: 'Are you insured?', edges: [{ to: 'pin' }] },
    {
      id: 'pin',
      type: 'collect',
      variable: 'pin',
      kind: 'digits',
      digits: 4,
      ask: 'Please enter your PIN.',
      edges: [{ to: 'book' }],
    },
    {
      id: 'book',
      type: 'tool',
      tool: 'book',
      arguments: { people: 'people + 0', pin: 'pin' },
      edges: [
        { to: 'done', on: 'ok' },
        { to: 'count', on: 'failed' },
      ],
    },
    {
      id: 'count',
      type: 'set',
      set: { tries: 'tries + 1' },
      edges: [{ to: 'day', if: 'tries < 3', say: 'That day is full.' }, { to: 'desk' }],
    },
    { id: 'done', type: 'end', say: 'See you on {{day}}. Goodbye.' },
    { id: 'bye', type: 'end' },
    { id: 'sorry', type: 'end', say: 'I am sorry, I have a problem. Goodbye.' },
    {
      id: 'desk',
      type: 'transfer',
      tool: 'front_desk',
      say: 'I connect you.',
      edges: [{ to: 'sorry', on: 'failed' }],
    },
  ],
  global: [
    {
      id: 'hours',
      type: 'say',
      text: 'We are open from nine to five.',
      when: 'asks for the opening hours',
      examples: ['when are you open', 'opening hours'],
      back: true,
    },
  ],
});
