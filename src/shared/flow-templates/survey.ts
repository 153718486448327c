import type { FlowTemplate } from './template.ts';

export const SURVEY: FlowTemplate = {
  id: 'survey',
  name: 'Customer survey',
  summary: 'Asks how likely people are to recommend you (NPS), and why.',
  type: 'outbound',
  company: 'Harbour Travel',
  opening: 'Hello {{callee_name}}, this is Harbour Travel with a short survey.',
  objective: 'You ask {{callee_name}} how satisfied they are with their journey with Harbour Travel.',
  guidelines: 'Short, friendly sentences. Thank people for their time.',
  task: 'Ask for a score from 0 to 10. Below 9, ask what to do better.',
  flow: {
    start: 'score',
    variables: [
      { name: 'score', type: 'number' },
      { name: 'why', type: 'text' },
    ],
    nodes: [
      {
        id: 'score',
        type: 'collect',
        variable: 'score',
        ask: 'From 0 to 10, how likely are you to recommend us?',
        edges: [
          { to: 'range', if: 'score < 0 || score > 10' },
          { to: 'happy', if: 'score >= 9' },
          { to: 'why' },
          { to: 'thanks', on: 'failed' },
          { to: 'thanks', on: 'refused' },
        ],
      },
      { id: 'range', type: 'say', text: 'The score is from 0 to 10.', edges: [{ to: 'score' }] },
      {
        id: 'why',
        type: 'collect',
        variable: 'why',
        ask: 'What should we do better?',
        edges: [{ to: 'thanks' }, { to: 'thanks', on: 'failed' }, { to: 'thanks', on: 'refused' }],
      },
      { id: 'happy', type: 'end', say: 'That is good to hear. Thank you for your time. Goodbye.' },
      { id: 'thanks', type: 'end', say: 'Thank you for your time. Goodbye.' },
    ],
  },
  goal: {
    name: 'score',
    key: { type: 'number', description: 'How likely the person is to recommend us, from 0 to 10.' },
  },
  cases: [
    {
      name: 'Asks why a person is unhappy',
      custom_args_values: { callee_name: 'Priya' },
      lines: ['a six', 'The bus was late'],
      expectations: [
        { type: 'says', any_of: ['do better'], turn: 1 },
        { type: 'says', any_of: ['thank you for your time'], turn: 2 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
    {
      name: 'Asks a happy person nothing more',
      custom_args_values: { callee_name: 'Priya' },
      lines: ['ten'],
      expectations: [
        { type: 'says', any_of: ['good to hear'], turn: 1 },
        { type: 'never_says', any_of: ['do better'] },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    },
  ],
};
