import { anything, assert, property } from 'fast-check';
import { expect, it } from 'vitest';
import { rehearsedAgent } from '../../../test/helpers/agents/rehearsed.ts';
import { scenarioRequest } from './from-model.ts';
import { readScenario } from './read-scenario.ts';

const WRITTEN = {
  name: 'Wants another day',
  goal: 'To move the visit to Thursday.',
  temper: 'hurried',
  opens: '',
  facts: [{ asked: ['still suit you'], says: 'No, it does not.' }],
  habits: ['changes_mind', 'sings'],
  must_say: ['Thursday'],
  must_not_say: ['we are closed'],
  calls_tool: '',
  ends: ['AGENT_ENDED', 'NEVER'],
};
const request = scenarioRequest(rehearsedAgent(), 'Reminder', { count: 3, wish: 'Hard ones.' });
const read = (...scenarios: unknown[]) => request.read(JSON.stringify({ scenarios }));

it('asks with the texts of the agent, its tools and the wish', () => {
  expect(JSON.parse(request.user)).toMatchObject({
    agent: { name: 'Reminder', language: 'en-US', calls: 'the agent calls people' },
    scenarios: 3,
    wish: 'Hard ones.',
  });
});

it('reads scenarios with a persona by a model, and with expectations', () => {
  const { scenarios, problems } = read(WRITTEN);
  expect(problems).toEqual([]);
  expect(scenarios).toMatchObject([
    {
      name: 'Wants another day',
      persona: { lines: 'model', temper: 'hurried', habits: { changes_mind: 0.3 } },
      expect: [
        { type: 'says', any_of: ['Thursday'] },
        { type: 'never_says', any_of: ['we are closed'] },
        { type: 'ends', as: ['AGENT_ENDED'] },
        { type: 'replies_within' },
        { type: 'no_alarm' },
      ],
    },
  ]);
});

it('names what is wrong, and keeps the rest', () => {
  const { scenarios, problems } = read(
    WRITTEN,
    { ...WRITTEN, name: 'Second', goal: 7 },
    { ...WRITTEN, name: 'Third', calls_tool: 'fly' },
    { ...WRITTEN, name: 'Beyond the count' },
  );
  expect(scenarios).toHaveLength(1);
  expect(problems).toEqual([
    expect.stringContaining('scenarios[1]: persona.goal'),
    expect.stringContaining('scenarios[2]: calls_tool names fly'),
  ]);
  expect(read(WRITTEN, WRITTEN).problems).toEqual(['scenarios[1]: has the name of another one']);
  expect(request.read('I will not').scenarios).toEqual([]);
});

it('reads nothing but scenarios that a rehearsal takes, whatever a model answers', () => {
  assert(
    property(anything(), anything(), (goal, facts) => {
      for (const scenario of read({ ...WRITTEN, goal, facts }, goal).scenarios)
        expect(readScenario(scenario)).toHaveProperty('scenario');
    }),
  );
});
