import { describe, expect, it } from 'vitest';
import { rehearsedAgent } from '../../test/helpers/agents/rehearsed.ts';
import { resultOf } from '../rehearsal/judge/tally.ts';
import type { RehearsedAgent } from '../rehearsal/play/play-call.ts';
import { timingOf } from '../rehearsal/play/timing.ts';
import { rehearse } from '../rehearsal/run.ts';
import { readScenario } from '../rehearsal/scenario/read-scenario.ts';
import { madeScenarios } from './made-scenarios.ts';

const PROMPT = `## Objective
You are Maya, a receptionist at Riverside Dental. You call patients about their check-up.

## Response guidelines
A check-up costs sixty dollars. We are open from eight to six.

## Task
1. Ask "Which day suits you for the check-up?"
2. Ask "What is your name?"
3. Thank them and say goodbye.

## FAQ
Q: Do you have parking?
A: Yes, there are 12 places behind the building.
`;

function prompted(prompt = PROMPT, language: 'en-US' | 'hi-IN' = 'en-US'): RehearsedAgent {
  const { spec, llm } = rehearsedAgent();
  const { flow: _, ...agent } = spec.agent;
  const introMessage = 'Hello {{callee_name}}, this is Maya from Riverside Dental.';
  return { llm, spec: { ...spec, agent: { ...agent, prompt, introMessage, language } } };
}

describe('scenarios from a prompt', () => {
  it('ask for every fact, refuse, and take the day back', async () => {
    const made = await madeScenarios(prompted(), 'desk');
    const names = made.map(({ name }) => name);
    for (const who of [
      'answers every question',
      'Do you have parking?',
      'How much does the check-up cost?',
      'When are you open?',
      'asks for something that the prompt does not say',
      'refuses',
      'wants no more calls',
      'takes the day back',
    ])
      expect(names).toContain(`desk: ${who}`);
    const parking = made.find(({ name }) => name.endsWith('parking?'));
    expect(parking?.expect).toContainEqual({ type: 'says', any_of: ['12'] });
    expect(parking?.variables).toEqual({ callee_name: 'callee name' });
    for (const scenario of made) expect(readScenario(scenario)).toEqual({ scenario });
  });

  it('pass with the agent, and show a fact that a draft has lost', async () => {
    const made = await madeScenarios(prompted(), 'desk');
    const failedWith = async (agent: RehearsedAgent): Promise<string[]> => {
      const parts = made.map((scenario) => ({ agent, scenario }));
      const names: string[] = [];
      for (let call = 0; call < parts.length; call++) {
        const { judged } = await rehearse({ parts, seed: 3, timing: timingOf('usual') }, call);
        if (resultOf(judged) !== 'passed') names.push(made[judged.scenario]!.name);
      }
      return names;
    };
    expect(await failedWith(prompted())).toEqual([]);
    const lost = PROMPT.replace('sixty dollars', 'ninety dollars').replace('12 places', 'places');
    expect(await failedWith(prompted(lost))).toEqual([
      'desk: Do you have parking?',
      'desk: How much does the check-up cost?',
    ]);
  });

  it('have facts and habits alone outside English', async () => {
    const made = await madeScenarios(prompted(PROMPT, 'hi-IN'), 'desk');
    expect(made.map(({ name }) => name)).not.toContain('desk: is busy');
    expect(made.map(({ name }) => name)).toContain('desk: refuses');
  });

  it('are those of the flow where the agent has one', async () => {
    const made = await madeScenarios(rehearsedAgent(), 'reminder');
    expect(made.length).toBeGreaterThan(1);
    expect(made.every(({ tags }) => tags?.includes('from a flow'))).toBe(true);
  });
});
