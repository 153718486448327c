import { describe, expect, it } from 'vitest';
import { run, settings } from '../../test/helpers/turns.ts';
import type { Expected } from '../voice/ports.ts';
import { initialState, step } from '../voice/turn/machine.ts';
import type { World } from '../voice/turn/simulator.ts';
import type { TurnSettings } from '../voice/turn/types.ts';
import { OptOutWatch } from './opt-out-watch.ts';

const DIGITS: Expected = { kinds: ['digits'], phrases: [] };

/** The times at which a call in virtual time is found to be one that the caller wants no more of, ms after the answer. */
function wishes(world: Partial<World> & { with?: Partial<TurnSettings> }): number[] {
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

describe('the wish for no more calls', () => {
  const says = { at: 2_000, says: 'Stop calling me.', forMs: 500 } as const;

  it('is heard when the turn is the caller’s, whatever becomes of the reply', () => {
    const [first = Infinity] = wishes({ acts: [says], brain: silent });
    expect(first - 2_500).toBeLessThan(1_000);
  });

  it('is not heard in other words, nor over the agent’s own', () => {
    expect(wishes({ acts: [{ ...says, says: 'Call me later.' }] })).toEqual([]);
    expect(wishes({ acts: [{ ...says, says: 'Yes.' }], brain: () => ({ text: 'I stop calling.' }) })).toEqual(
      [],
    );
  });

  it('is heard in a turn that the caller hangs up on', () => {
    const partials = [[400, 'Stop calling']] as const;
    expect(
      wishes({
        acts: [
          { ...says, partials },
          { at: 2_550, event: 'hangs_up' },
        ],
      }),
    ).toEqual([2_550]);
  });

  it('is heard in the key, also when the caller hangs up with it', () => {
    const key = { at: 2_000, presses: '9' } as const;
    expect(wishes({ acts: [key], brain: silent })).toEqual([3_500]);
    expect(wishes({ acts: [key, { at: 2_300, event: 'hangs_up' }] })).toEqual([2_300]);
    expect(
      wishes({
        acts: [
          { at: 2_000, presses: '8' },
          { at: 2_300, event: 'hangs_up' },
        ],
      }),
    ).toEqual([]);
  });

  it('is not heard in a key that is the answer to a question', () => {
    const acts = [{ at: 2_000, presses: '9' }] as const;
    expect(wishes({ acts, with: { introExpected: DIGITS } })).toEqual([]);
  });

  it('is not heard in a key that a tool waits for', () => {
    const world = {
      with: { tools: { keys: { timeoutMs: 10_000, keys: { digits: 1, end: null } } } },
      brain: (_: unknown, n: number) =>
        n === 1 ? { text: 'Your floor, please.', tools: [{ name: 'keys' }] } : { text: 'Thank you.' },
    };
    const asked = { at: 2_000, says: 'To the lift.', forMs: 500 } as const;
    expect(wishes({ ...world, toolMs: 60_000, acts: [asked, { at: 6_000, presses: '9' }] })).toEqual([]);
  });
});
