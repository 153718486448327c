import { decisionOf, firstDifference, initialState, step } from '@callwright/turns';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneQuestion, rehearsedAgent, saidBy, shippedParts } from '../../../test/helpers/agents/rehearsed.ts';
import type { LlmProvider } from '../../providers/ports/model.ts';
import { SCRIPT_ENGINE } from '../../shared/spoken-by.ts';
import { resultOf, tally } from '../judge/tally.ts';
import { rehearse } from '../run.ts';
import type { Scenario } from '../scenario/document.ts';
import { playCall } from './play-call.ts';
import type { PlayedCall } from './rehearsal.ts';
import { timingOf } from './timing.ts';

const timing = timingOf('usual');
const play = (scenario: Scenario, agent = rehearsedAgent(), seed = 1): Promise<PlayedCall> =>
  playCall({ agent, scenario, seed, timing });
const kinds = ({ caller }: PlayedCall): string[] => caller.map(({ kind }) => kind);

/** A model with this reply. */
const replying = (reply: ReturnType<LlmProvider['open']>['reply'], name = 'model'): LlmProvider => ({
  name,
  open: () => ({ reply, close: () => undefined }),
  close: () => Promise.resolve(),
});
/** Without its flow, the agent asks the model. */
const { flow: _, ...withoutFlow } = rehearsedAgent().spec.agent;
const ofModel = (llm: LlmProvider): ReturnType<typeof rehearsedAgent> => {
  const agent = rehearsedAgent({ llm });
  const asked = { ...withoutFlow, introMessage: 'Does your appointment still suit you?' };
  return { ...agent, spec: { ...agent.spec, agent: asked } };
};

describe('a call in rehearsal', () => {
  it('talks from the first message to the goodbye', async () => {
    const call = await play(oneQuestion());
    expect(call).toMatchObject({ end: { reason: 'AGENT_ENDED' }, failure: null });
    expect(call.agent.map(({ text }) => text).join(' ')).toMatch(
      /on Tuesday at ten still suit you\?.* Goodbye\.$/,
    );
    expect(saidBy(call)).toEqual(['Yes, it does.']);
  });

  it('gives the same events to the last bit for the same seed', async () => {
    const parts = shippedParts();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_000 }), fc.nat(1_000), async (seed, call) => {
        const first = await rehearse({ parts, seed, timing }, call);
        const again = await rehearse({ parts, seed, timing }, call);
        expect(JSON.stringify(again)).toBe(JSON.stringify(first));
      }),
      { numRuns: 60 },
    );
  });

  it('has an event log that replays to the same decisions', async () => {
    const { settings, events } = await play(oneQuestion({ habits: { interrupts: 1, asks_twice: 1 } }));
    let state = initialState(settings);
    const entries = events.map((event) => {
      const next = step(state, event);
      state = next.state;
      return { event, decision: decisionOf(next.effects) };
    });
    expect(firstDifference({ settings, entries, cutMs: null })).toBe(null);
  });

  it('does not depend on how long a model really takes', async () => {
    const { llm: script } = rehearsedAgent();
    const slow: LlmProvider = {
      name: SCRIPT_ENGINE,
      open(context) {
        const session = script.open(context);
        return {
          ...session,
          reply: (request, onEvent) => void setTimeout(() => session.reply(request, onEvent), 3),
        };
      },
      close: () => script.close(),
    };
    const scenario = oneQuestion({ habits: { asks_twice: 1 } });
    const [atOnce, later] = [await play(scenario, ofModel(script)), await play(scenario, ofModel(slow))];
    expect(atOnce.agent.length).toBeGreaterThan(2);
    expect(later.events).toEqual(atOnce.events);
  });

  it('names why a call could not be played', async () => {
    const broken = replying(() => {
      throw new Error('the model is broken');
    });
    expect(await play(oneQuestion(), ofModel(broken))).toMatchObject({ failure: 'the model is broken' });
  });

  it('answers tools from the mocks of the scenario', async () => {
    const transfer = { name: 'transfer_call', description: '', parameters: {}, kind: 'transfer' as const };
    const agent = rehearsedAgent({ tools: [transfer] });
    const scenario = oneQuestion(
      { answers: [{ asked: ['still suit you'], says: 'Can I speak to a human?' }] },
      { tools: [{ tool: 'transfer_call', result: { status: 'connected' } }] },
    );
    const call = await play(scenario, { ...agent, spec: { ...ofModel(agent.llm).spec, tools: [transfer] } });
    expect(call.tools).toMatchObject([{ name: 'transfer_call', ok: true }]);
    expect(call.end).toMatchObject({ reason: 'CALL_TRANSFERRED' });
  });
});

describe('habits of callers', () => {
  it.each([
    ['interrupts', 'interruption'],
    ['backchannels', 'backchannel'],
    ['holds', 'wait'],
    ['hands_over', 'wait'],
  ] as const)('%s: the call has the sound', async (habit, kind) => {
    expect(kinds(await play(oneQuestion({ habits: { [habit]: 1 } })))).toContain(kind);
  });

  it('ask again, and answer the second time', async () => {
    const call = await play(oneQuestion({ habits: { asks_twice: 1 } }));
    expect(saidBy(call)).toEqual(['Sorry, can you say that again?', 'Yes, it does.']);
  });

  it('stay silent until the agent checks in', async () => {
    const call = await play(oneQuestion({ habits: { silent: 1 } }));
    expect(call.agent.map(({ text }) => text)).toContain('Are you still there?');
    expect(saidBy(call)[0]).toBe('Yes, it does.');
  });

  it('spell, and take back what they said first', async () => {
    const answers = [{ asked: ['still suit you'], says: 'Yes.', spelt: 'Y E S', instead: 'No.' }];
    expect(saidBy(await play(oneQuestion({ answers, habits: { spells: 1 } })))[0]).toBe('Y E S');
    expect(saidBy(await play(oneQuestion({ answers, habits: { changes_mind: 1 } })))[0]).toBe(
      'No. no, sorry, Yes.',
    );
  });

  it('say other words when asked again', async () => {
    const answers = [{ asked: ['still suit you'], says: 'Perhaps.', again: 'Yes.' }];
    expect(saidBy(await play(oneQuestion({ answers }))).slice(0, 2)).toEqual(['Perhaps.', 'Yes.']);
  });

  it('refuse', async () => {
    const call = await play(oneQuestion({ habits: { says_no: 1 } }));
    expect(saidBy(call)[0]).toBe('No thank you, I am not interested.');
  });

  it('leave a mailbox to answer, in which the agent leaves its message', async () => {
    const voicemail = { action: 'static_message', staticMessage: 'Please call us.' } as const;
    const call = await play(
      oneQuestion({ answered_by: 'voicemail' }),
      rehearsedAgent({ agent: { voicemail } }),
    );
    expect(call.end?.reason).toBe('VOICEMAIL_DETECTED');
    expect(call.agent.at(-1)?.text).toBe('Please call us.');
    expect(kinds(call)).toEqual(['machine']);
  });

  it('let a screening service ask first', async () => {
    const call = await play(oneQuestion({ answered_by: 'screening' }));
    expect(kinds(call).slice(0, 3)).toEqual(['machine', 'greeting', 'turn']);
    expect(call.end?.reason).toBe('AGENT_ENDED');
  });
});

describe('the shipped scenarios', () => {
  it('pass with the templates that they are for', async () => {
    const parts = shippedParts();
    const judged = [];
    for (let call = 0; call < 400; call++)
      judged.push((await rehearse({ parts, seed: 1, timing }, call)).judged);
    const tallies = tally(
      parts.map(({ scenario }) => scenario),
      judged,
    );
    expect(tallies.filter(({ passed, calls }) => passed < calls * 0.8).map(({ name }) => name)).toEqual([]);
    expect(judged.filter((call) => resultOf(call) === 'passed').length).toBeGreaterThan(390);
  });
});
