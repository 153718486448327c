import { describe, expect, it } from 'vitest';
import { turnSettings } from '../settings.ts';
import { simulate, type Act } from '../../../../test/rigs/turn/simulate.ts';

const talk = (acts: readonly Act[]) =>
  simulate({
    settings: turnSettings({
      callConfig: { idle_timeout_warning: 0, idle_timeout_end: 60, mute_during_intro: false },
      introMessage: 'Hello, this is Maya of Riverside Dental, and I have a question for you.',
      language: 'en-US',
      direction: 'webcall',
    }),
    acts,
    brain: () => ({ text: 'Thank you.' }),
    untilMs: 30_000,
  });
const callerLines = (call: ReturnType<typeof talk>) =>
  call.lines.filter(({ role }) => role === 'caller').map(({ text, by }) => ({ text, by }));

describe('typed words', () => {
  it('are a turn of their own, answered without a pause', () => {
    const call = talk([{ at: 8_000, types: ' On Tuesday, please ' }]);
    expect(callerLines(call)).toEqual([{ text: 'On Tuesday, please', by: 'text' }]);
    const request = call.effects.find(({ effect }) => effect.type === 'generate');
    expect(request?.at).toBe(8_000);
    expect(request?.effect).toMatchObject({
      history: [{ role: 'agent' }, { role: 'caller', text: 'On Tuesday, please', by: 'text' }],
    });
  });

  it('interrupt the agent', () => {
    const call = talk([{ at: 1_500, types: 'Stop.' }]);
    expect(call.lines[0]).toMatchObject({ role: 'agent', interrupted: true });
    expect(callerLines(call)).toEqual([{ text: 'Stop.', by: 'text' }]);
  });

  it('are ignored when empty, and the next turn is speech again', () => {
    const call = talk([
      { at: 7_000, types: '  ' },
      { at: 8_000, types: 'Yes' },
      { at: 14_000, says: 'and on Friday' },
    ]);
    expect(callerLines(call)).toEqual([
      { text: 'Yes', by: 'text' },
      { text: 'and on Friday', by: 'speech' },
    ]);
  });
});
