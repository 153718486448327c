import { describe, expect, it } from 'vitest';
import { settings as usual, spoken } from '../../../../test/helpers/turns.ts';
import { initialState, step } from './machine.ts';
import { simulate, type Simulation, type World } from '../../../../test/rigs/turn/simulate.ts';
import type { TurnSettings } from './types.ts';

const settings: TurnSettings = {
  ...usual,
  muteDuringIntro: false,
  maxCallMs: 90_000,
  backchannels: ['hmm', 'okay'],
  replyTimeoutMs: 3_500,
};
const question = { at: 2_000, says: 'I want to book.' } as const;
const run = (world: Partial<World> & { with?: Partial<TurnSettings> } = {}): Simulation =>
  simulate({ ...world, settings: { ...settings, ...world.with } });
/** The longest silence after the caller's turn, ms. */
function deadAir(call: Simulation, untilMs: number): number {
  const sounds = call.sounds
    .filter(({ from }) => from < untilMs)
    .map(({ from, to }) => ({ from, to: to ?? untilMs }));
  let heard = 2_900;
  let longest = 0;
  for (const { from, to } of sounds) {
    if (from > heard) longest = Math.max(longest, from - heard);
    heard = Math.max(heard, to);
  }
  return longest;
}

describe('a wait for a tool', () => {
  const once = (_: unknown, n: number) => (n === 1 ? { tools: [{ name: 'lookup' }] } : { text: 'Found it.' });

  it('is filled with a phrase when one is drawn and the tool is slow', () => {
    const fillers = { phrases: ['Let me check.'], probability: 1 };
    expect(
      spoken(run({ acts: [question], toolMs: 2_000, brain: once, with: { fillers }, untilMs: 9_000 })),
    ).toEqual([
      'agent: Hello this is Maya.',
      'caller: I want to book.',
      'agent: Let me check.',
      'agent: Found it.',
    ]);
    for (const world of [
      { toolMs: 100, with: { fillers } },
      { toolMs: 2_000, with: { fillers: { ...fillers, probability: 0 } } },
      { toolMs: 2_000 },
    ]) {
      const call = run({ acts: [question], brain: once, untilMs: 9_000, ...world });
      expect(spoken(call).join()).not.toContain('Let me check.');
      expect(spoken(call).at(-1)).toBe('agent: Found it.');
    }
  });

  it('has no phrase after the agent has announced the tool', () => {
    const call = run({
      acts: [question],
      toolMs: 2_000,
      brain: (_, n) =>
        n === 1 ? { text: 'I look it up.', tools: [{ name: 'lookup' }] } : { text: 'Found it.' },
      with: { fillers: { phrases: ['Let me check.'], probability: 1 } },
      untilMs: 9_000,
    });
    expect(spoken(call).slice(2)).toEqual(['agent: I look it up.', 'agent: Found it.']);
  });

  it.each([1_000, 4_400, 6_000, 9_000, 60_000])(
    'is never dead air, the tool taking %i ms and the model hanging after it',
    (toolMs) => {
      const call = run({
        acts: [question],
        toolMs,
        brain: (_, n) => (n === 1 ? { tools: [{ name: 'lookup' }] } : { afterMs: 1_000_000 }),
        with: { idleEndMs: 100_000, idleWarningMs: 0 },
        untilMs: 30_000,
      });
      expect(deadAir(call, 30_000)).toBeLessThanOrEqual(8_000);
      expect(spoken(call).join()).toContain('Sorry, say it again.');
    },
  );
});

describe('results', () => {
  /** A call whose reply 1 has called a tool with an id that the model reuses. */
  function waiting() {
    let state = step(initialState({ ...settings, introMessage: '' }), { type: 'answered', at: 0 }).state;
    const feed = (event: Parameters<typeof step>[1]): void => {
      state = step(state, event).state;
    };
    const replyId = state.reply?.id ?? -1;
    feed({ type: 'reply_tool', replyId, id: 'call_0', name: 'lookup', args: { day: 'Tuesday' }, at: 10 });
    feed({ type: 'reply_done', replyId, memory: null, expected: null, at: 20 });
    return { feed, replyId, now: () => state };
  }

  it('have the time that the rules of another agent give them', () => {
    const { feed, replyId, now } = waiting();
    feed({ type: 'tool_result', replyId, id: 'call_0', name: 'lookup', result: 'found', at: 40 });
    feed({ type: 'tools_changed', tools: { lookup: { timeoutMs: 20_000 } }, at: 50 });
    const next = now().reply?.id ?? -1;
    feed({ type: 'reply_tool', replyId: next, id: 'call_1', name: 'lookup', args: {}, at: 100 });
    expect(now().tools.pending.map(({ until }) => until)).toEqual([21_100]);
  });

  it('drops results of another reply with the same id', () => {
    const { feed, replyId, now } = waiting();
    feed({
      type: 'tool_result',
      replyId: replyId + 7,
      id: 'call_0',
      name: 'lookup',
      result: 'stale',
      at: 30,
    });
    expect(now().history).toEqual([]);
    expect(now().tools.pending).toHaveLength(1);
    feed({ type: 'tool_result', replyId, id: 'call_0', name: 'lookup', result: 'fresh', at: 40 });
    expect(now().history).toEqual([
      {
        role: 'tool',
        name: 'lookup',
        args: { day: 'Tuesday' },
        result: 'fresh',
        key: expect.stringMatching(/^0-/),
      },
    ]);
    feed({ type: 'tool_result', replyId, id: 'call_0', name: 'lookup', result: 'again', at: 50 });
    expect(now().history).toHaveLength(1);
  });

  it('adds results of an interrupted reply to the history and requests no reply', () => {
    const call = run({
      acts: [question, { at: 4_000, says: 'No wait make it Friday.', forMs: 1_200 }],
      toolMs: 6_000,
      brain: (_, n) =>
        n === 1
          ? {
              text: 'I book Tuesday for you now and will tell you as soon as it is done.',
              tools: [{ name: 'book' }],
            }
          : { text: 'Friday then.' },
      with: { idleWarningMs: 0, idleEndMs: 60_000 },
      untilMs: 14_000,
    });
    expect(spoken(call).filter((line) => line === 'agent: Friday then.')).toHaveLength(1);
    expect(call.state.history.filter((item) => item.role === 'tool')).toHaveLength(1);
  });
});

/** The session leaves this tool to the conversation. */
const NEVER = 1_000_000;

describe('the end of a call by a tool', () => {
  it('is final, even if the recogniser fails at that moment', () => {
    const fresh = initialState({ ...settings, introMessage: '' });
    let call = step(fresh, { type: 'answered', at: 0 });
    const replyId = call.state.reply?.id ?? -1;
    const feed = (event: Parameters<typeof step>[1]): void => {
      call = step(call.state, event);
    };
    feed({ type: 'reply_tool', replyId, id: 'x', name: 'end_call', args: {}, at: 10 });
    feed({ type: 'speech_started', since: 20, at: 20 });
    feed({ type: 'reply_done', replyId, memory: null, expected: null, at: 30 });
    feed({ type: 'speech_stopped', since: 40, at: 40 });
    feed({ type: 'stt_failed', retryable: false, at: 50 });
    const types = call.effects.map(({ type }) => type);
    expect(types.at(-1)).toBe('hangup');
    expect(types).not.toContain('speak');
  });
});

describe('a tool that waits for keys', () => {
  const tools = { pin: { timeoutMs: 4_000, keys: { digits: 4, end: '#' } } };
  const brain = (history: readonly { role: string }[], n: number) =>
    n === 1
      ? { text: 'Your number please.', tools: [{ name: 'pin' }] }
      : { text: `Thanks ${history.length}.` };
  const result = (call: Simulation): unknown => {
    const item = call.state.history.find((entry) => entry.role === 'tool');
    return item?.role === 'tool' ? item.result : null;
  };
  const press = (digits: string, from: number) =>
    digits.split('').map((digit, at) => ({ at: from + at * 400, presses: digit as '1' }));

  it('gets the keys, which are not a turn', () => {
    const call = run({
      acts: [question, ...press('1234', 6_000)],
      brain,
      toolMs: NEVER,
      with: { tools },
      untilMs: 12_000,
    });
    expect(result(call)).toEqual({ digits: '1234', status: 'pressed' });
    expect(spoken(call)).toContain('caller: 1234');
    expect(call.effects.filter(({ effect }) => effect.type === 'tool_over')).toHaveLength(1);
    expect(spoken(call).at(-1)).toMatch(/^agent: Thanks/);
  });

  it('ends with its own end key', () => {
    const call = run({
      acts: [question, ...press('12#', 6_000)],
      brain,
      toolMs: NEVER,
      with: { tools },
      untilMs: 12_000,
    });
    expect(result(call)).toEqual({ digits: '12', status: 'pressed' });
  });

  it('times out without keys', () => {
    const call = run({ acts: [question], brain, toolMs: NEVER, with: { tools }, untilMs: 14_000 });
    expect(result(call)).toEqual({ digits: '', status: 'no key was pressed' });
    expect(spoken(call).at(-1)).toMatch(/^agent: Thanks/);
  });

  it('ends when the caller speaks instead, and the caller is answered', () => {
    const call = run({
      acts: [question, { at: 6_000, says: 'I do not have it here.', forMs: 1_000 }],
      brain,
      toolMs: NEVER,
      with: { tools },
      untilMs: 12_000,
    });
    expect(result(call)).toEqual({ digits: '', status: 'the caller spoke instead' });
    expect(spoken(call).slice(-2)).toEqual([
      'caller: I do not have it here.',
      expect.stringMatching(/^agent: Thanks/),
    ]);
  });
});
