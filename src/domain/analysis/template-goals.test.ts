import { expect, it } from 'vitest';
import { FLOW_TEMPLATES } from '../../shared/flow-templates/list.ts';
import { resultOfAnswers } from '../calls/result.ts';
import { clientByRules } from './client-by-rules.ts';

type Spoken = readonly (readonly [question: string, answer: string])[];

/** What a call of a template comes to without a language model. */
function resultOf(id: string, spoken: Spoken): string | undefined {
  const goal = FLOW_TEMPLATES.find((template) => template.id === id)?.goal;
  if (goal === undefined) return undefined;
  const client = clientByRules({
    language: 'en-US',
    timeZone: 'America/New_York',
    endedAt: Date.UTC(2026, 0, 5, 10),
    subStatus: 'AGENT_ENDED',
    hangupBy: 'agent',
    agentName: 'Maya',
    prompt: '',
    transcript: spoken.flatMap(([question, answer]) => [
      { role: 'agent' as const, text: question },
      { role: 'caller' as const, text: answer },
    ]),
    tools: [],
    labels: [],
    client: { goal_key: goal.name, keys: { [goal.name]: goal.key } } as never,
    evaluations: [],
  });
  return resultOfAnswers({ subStatus: 'AGENT_ENDED', goalKey: goal.name, client, classification: null })
    ?.text;
}

const SUITS = 'Does your appointment on Monday at ten still suit you?';

it.each([
  ['appointment_reminder', [[SUITS, 'Yes, it does.']], 'Confirmed: yes'],
  [
    'appointment_reminder',
    [
      [SUITS, 'No.'],
      ['Would you like another day?', 'Yes.'],
      ['Which day suits you better?', 'Friday.'],
    ],
    'Confirmed: no',
  ],
  [
    'payment_reminder',
    [
      ['Am I speaking with Priya?', 'Yes.'],
      ['Your invoice of 40 dollars is still open. Have you paid it already?', 'No, not yet.'],
    ],
    'Paid: no',
  ],
  ['order_status', [['It arrives on Tuesday. Will someone be at home?', 'Yes.']], 'At home: yes'],
  ['survey', [['From 0 to 10, how likely are you to recommend us?', 'Nine.']], '9'],
  [
    'lead_qualification',
    [
      ['How many people work in your company?', 'Twenty.'],
      ['Would you like to start this month, this year, or later?', 'This year.'],
    ],
    'this year',
  ],
] as const)('a call of the template %s has its goal as the result: %j', (id, spoken, result) => {
  expect(resultOf(id, spoken)).toBe(result);
});
