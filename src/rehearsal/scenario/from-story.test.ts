import { describe, expect, it } from 'vitest';
import { oneQuestion, rehearsedAgent, saidBy, shippedParts } from '../../../test/helpers/agents/rehearsed.ts';
import { storyOf } from '../detect/story.ts';
import { playCall } from '../play/play-call.ts';
import { timingOf } from '../play/timing.ts';
import { rehearse } from '../run.ts';
import { scenarioOf } from './from-story.ts';
import { readScenario } from './read-scenario.ts';

const timing = timingOf('usual');

describe('a scenario from a call', () => {
  it('has the words, the habits and the end of the call', async () => {
    const scenario = oneQuestion({ habits: { holds: 1 } });
    const { settings, events } = await playCall({ agent: rehearsedAgent(), scenario, seed: 1, timing });
    const made = scenarioOf(storyOf(settings, events), {
      name: 'Call 1',
      agent: 'reminder',
      variables: { day: 'Tuesday' },
    });
    expect(made).toEqual({
      name: 'Call 1',
      agent: 'reminder',
      language: 'en-US',
      tags: ['from a call'],
      variables: { day: 'Tuesday' },
      persona: {
        goal: 'What the caller wanted in Call 1',
        answers: [{ asked: [expect.stringContaining('still suit you?')], says: 'Yes, it does.' }],
        habits: { holds: 0.5 },
      },
      expect: [
        { type: 'no_alarm' },
        { type: 'replies_within', seconds: 4 },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
    });
  });

  it('can be read, and its caller says the same again in calls without habits', async () => {
    let [same, all] = [0, 0];
    const parts = shippedParts();
    for (let call = 0; call < parts.length; call++) {
      const { played, judged } = await rehearse({ parts, seed: 5, timing }, call);
      const part = parts[judged.scenario]!;
      const { variables, persona } = part.scenario;
      const story = storyOf(played.settings, played.events);
      const made = scenarioOf(story, {
        name: part.scenario.name,
        ...(variables === undefined ? {} : { variables }),
      });
      expect(readScenario(made)).toEqual({ scenario: made });
      if (persona.habits !== undefined || (persona.answered_by ?? 'person') !== 'person') continue;
      const again = await playCall({ agent: part.agent, scenario: made, seed: 77, timing });
      all += 1;
      if (saidBy(again).join() === saidBy(played).join() && again.end?.reason === played.end?.reason)
        same += 1;
    }
    expect(all).toBeGreaterThan(15);
    expect(same / all).toBeGreaterThan(0.9);
  });
});
