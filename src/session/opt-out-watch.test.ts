import { describe, expect, it } from 'vitest';
import { run, settings } from '../../test/helpers/turns.ts';
import { type Expected, type TurnSettings, initialState, step } from '@callwright/turns';
import type { World } from '../../test/rigs/turn/simulate.ts';
import { OptOutWatch } from './opt-out-watch.ts';

const DIGITS: Expected = { kinds: ['digits'], phrases: [] };

/** The times at which the watch detects an opt-out in a simulated call, ms after the answer. */
function optOutTimes(world: Partial<World> & { with?: Partial<TurnSettings> }): number[] {
  const { log } = run(world);
  const heard: number[] = [];
  const watch = new OptOutWatch(
    {
      words: (text) => /stop calling/i.test(text),
      keys: (keys, { expected }) => keys === '9' && expected !== DIGITS,
    },
    (at) => heard.push(at - (log[0]?.at ?? 0)),
  );
  let state = initialState({ ...settings, ...world.with });
  for (const event of log) {
    const after = step(state, event);
    watch.follow(state, after, event.at);
    state = after.state;
  }
  return heard;
}

const silent = (): { text: string; afterMs: null } => ({ text: '', afterMs: null });

describe('OptOutWatch', () => {
  const says = { at: 2_000, says: 'Stop calling me.', forMs: 500 } as const;

  it('detects an opt-out when the turn is committed, even without a reply', () => {
    const [first = Infinity] = optOutTimes({ acts: [says], brain: silent });
    expect(first - 2_500).toBeLessThan(1_000);
  });

  it('ignores other words, and the agent’s words', () => {
    expect(optOutTimes({ acts: [{ ...says, says: 'Call me later.' }] })).toEqual([]);
    expect(
      optOutTimes({ acts: [{ ...says, says: 'Yes.' }], brain: () => ({ text: 'I stop calling.' }) }),
    ).toEqual([]);
  });

  it('detects an opt-out in a turn that ends with a hangup', () => {
    const partials = [[400, 'Stop calling']] as const;
    expect(
      optOutTimes({
        acts: [
          { ...says, partials },
          { at: 2_550, event: 'hangs_up' },
        ],
      }),
    ).toEqual([2_550]);
  });

  it('detects the opt-out key, also right before a hangup', () => {
    const key = { at: 2_000, presses: '9' } as const;
    expect(optOutTimes({ acts: [key], brain: silent })).toEqual([3_500]);
    expect(optOutTimes({ acts: [key, { at: 2_300, event: 'hangs_up' }] })).toEqual([2_300]);
    expect(
      optOutTimes({
        acts: [
          { at: 2_000, presses: '8' },
          { at: 2_300, event: 'hangs_up' },
        ],
      }),
    ).toEqual([]);
  });

  it('ignores a key that answers a question', () => {
    const acts = [{ at: 2_000, presses: '9' }] as const;
    expect(optOutTimes({ acts, with: { introExpected: DIGITS } })).toEqual([]);
  });

  it('ignores a key that a tool waits for', () => {
    const world = {
      with: { tools: { keys: { timeoutMs: 10_000, keys: { digits: 1, end: null } } } },
      brain: (_: unknown, n: number) =>
        n === 1 ? { text: 'Your floor, please.', tools: [{ name: 'keys' }] } : { text: 'Thank you.' },
    };
    const question = { at: 2_000, says: 'To the lift.', forMs: 500 } as const;
    expect(optOutTimes({ ...world, toolMs: 60_000, acts: [question, { at: 6_000, presses: '9' }] })).toEqual(
      [],
    );
  });
});
