import { describe, expect, it } from 'vitest';
import { count, long, run, spoken, times } from '../../../../test/helpers/turns.ts';
import type { Act } from '../../../../test/rigs/turn/simulate.ts';

const question = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;
const brain = (_: unknown, n: number) => ({ text: n === 1 ? long : 'Sure.' });

/** Words of a recogniser with times, without an edge of the speech gate. */
const partial = (at: number, text: string, turn = '2'): Act => ({
  at,
  feeds: { type: 'partial', text, turn, audioMs: at, wordsEndMs: at - 40 },
});
const final = (at: number, text: string, turn = '2'): Act => ({
  at,
  feeds: { type: 'final', text, turn, audioMs: at, wordsEndMs: at - 40, certain: true },
});

describe('speech that only the recogniser hears', () => {
  it('stops the agent by its second word, and is a turn', () => {
    const call = run({
      acts: [question, partial(5_000, 'Not'), partial(5_250, 'Not Tuesday'), final(5_600, 'Not Tuesday.')],
      brain,
      untilMs: 9_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([5_250]);
    expect(spoken(call).slice(-2)).toEqual(['caller: Not Tuesday.', 'agent: Sure.']);
  });

  it('stops the agent by its first word once the gate hears it', () => {
    const call = run({
      acts: [
        question,
        partial(5_000, 'Stop'),
        { at: 5_080, feeds: { type: 'speech_started', since: 0, audioMs: 4_900 } },
      ],
      brain,
      untilMs: 5_500,
    });
    expect(times(call, 'stop_speaking')).toEqual([5_080]);
  });

  it('is forgotten when one word was guessed at a noise', () => {
    const call = run({ acts: [question, partial(5_000, 'Can')], brain, untilMs: 12_000 });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(count(call, 'generate')).toBe(1);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
  });

  it('makes no hole when it is a backchannel', () => {
    const call = run({
      acts: [question, partial(5_000, 'uh huh'), final(5_600, 'uh huh')],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
  });

  it('goes on with the turn in a pause, and the reply waits', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'Since', forMs: 300 },
        partial(2_700, 'yesterday', ''),
        partial(2_900, 'yesterday evening', ''),
        final(3_200, 'yesterday evening.', ''),
      ],
      untilMs: 8_000,
    });
    expect(spoken(call).filter((line) => line.startsWith('caller'))).toEqual([
      'caller: Since yesterday evening.',
    ]);
    expect(times(call, 'release').at(-1)).toBeGreaterThanOrEqual(3_200);
  });

  it('does not begin with words that belong to the last turn', () => {
    const late = {
      type: 'partial',
      text: 'I come then',
      turn: '1',
      audioMs: 2_600,
      wordsEndMs: 2_480,
    } as const;
    const call = run({
      acts: [
        { at: 2_000, feeds: { type: 'speech_started', since: 0 } },
        { at: 2_500, feeds: { type: 'speech_stopped', since: 0 } },
        {
          at: 2_560,
          feeds: { type: 'final', text: 'When can I come?', turn: '1', audioMs: 2_560, certain: true },
        },
        { at: 4_000, feeds: late },
      ],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(0);
  });
});

describe('a far talker', () => {
  const far = (at: number, isFar: boolean): Act => ({ at, feeds: { type: 'talker_far', isFar } });
  const talk: Act = { at: 5_000, says: 'Now the weather.', forMs: 2_000, partials: [[400, 'Now the']] };

  it('does not stop the agent, by sound or by words', () => {
    const call = run({ acts: [question, far(5_050, true), talk], brain, untilMs: 12_000 });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(count(call, 'lower_voice')).toBe(0);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
  });

  it('stops the agent with the words so far once the talker is near', () => {
    const call = run({ acts: [question, far(5_050, true), talk, far(5_600, false)], brain, untilMs: 12_000 });
    expect(times(call, 'stop_speaking')).toEqual([5_600]);
  });

  it('is answered while the agent is silent', () => {
    const call = run({
      acts: [question, far(3_000, true), { at: 9_000, says: 'Tuesday then.', forMs: 600 }],
      brain,
      untilMs: 14_000,
    });
    expect(spoken(call).slice(-2)).toEqual(['caller: Tuesday then.', 'agent: Sure.']);
  });
});
