import { describe, expect, it } from 'vitest';
import { rehearsedTemplate } from '../../../test/helpers/agents/rehearsed.ts';
import { FLOW_TEMPLATES } from '../../shared/flow-templates/list.ts';
import { resultOf } from '../judge/tally.ts';
import { timingOf } from '../play/timing.ts';
import { rehearse } from '../run.ts';
import { scenariosOf } from './from-flow.ts';
import { readScenario } from './read-scenario.ts';

describe('scenarios from a flow', () => {
  it('take every way that callers find through a flow', async () => {
    const made = await scenariosOf(rehearsedTemplate('appointment_booking'), 'appointment_booking');
    const ends = made.flatMap(({ expect: expected }) =>
      expected.flatMap((each) => (each.type === 'says' ? each.any_of : [])),
    );
    expect(new Set(ends)).toEqual(
      new Set([
        'I have noted your request, and the practice will confirm it.',
        'Please come today during opening hours.',
        'The practice will call you back about it.',
      ]),
    );
  });

  it.each(FLOW_TEMPLATES.map(({ id }) => id))('can be read, and pass with the agent %s', async (id) => {
    const agent = rehearsedTemplate(id);
    const made = await scenariosOf(agent, id);
    expect(made.length).toBeGreaterThan(1);
    for (const scenario of made) expect(readScenario(scenario)).toEqual({ scenario });
    const parts = made.map((scenario) => ({ agent, scenario }));
    const judged = [];
    for (let call = 0; call < parts.length * 5; call++)
      judged.push((await rehearse({ parts, seed: 2, timing: timingOf('usual') }, call)).judged);
    const failed = judged.filter((call) => resultOf(call) !== 'passed');
    expect(failed.length / judged.length).toBeLessThan(0.1);
  });

  it('are none for an agent that a prompt leads', async () => {
    const { spec, llm } = rehearsedTemplate('survey');
    const { flow: _, ...agent } = spec.agent;
    expect(await scenariosOf({ spec: { ...spec, agent }, llm }, 'survey')).toEqual([]);
  });
});
