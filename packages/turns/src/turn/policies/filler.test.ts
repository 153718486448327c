import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run, settings } from '../../../../../test/helpers/turns.ts';
import type { TurnSettings } from '../types.ts';

const { phrases } = settings;
const MOMENTS = { ...phrases, otherMoments: ['Let me see.', 'Just a second.'] };

/** The fillers of a call whose caller asks five times and whose model needs 1.5 s for each reply, with the silence before each. */
function fillersOf(changed: Partial<TurnSettings>): { text: string; afterMs: number }[] {
  const asked = [3_000, 9_000, 15_000, 21_000, 27_000];
  const call = run({
    acts: asked.map((at) => ({ at, says: 'When do you open?', forMs: 500 })),
    brain: () => ({ text: 'At nine.', afterMs: 1_500 }),
    with: { phrases: MOMENTS, ...changed },
    untilMs: 33_000,
  });
  return call.sounds
    .filter(({ text }) => text !== 'At nine.' && text !== settings.introMessage)
    .map(({ text, from }) => ({ text, afterMs: from - (asked.findLast((at) => at < from) ?? 0) - 500 }));
}

describe('the filler of a slow model', () => {
  it('is heard within 1.2 s of the last sound at every turn, and never the same twice in a row', () => {
    const fillers = fillersOf({});
    expect(fillers.map(({ text }) => text)).toEqual([
      'One moment.',
      'Let me see.',
      'Just a second.',
      'One moment.',
      'Let me see.',
    ]);
    for (const { afterMs } of fillers) expect(afterMs).toBeLessThanOrEqual(1_200);
  });

  it('alternates an agent with one phrase of its own with the phrases of the turn machine', () => {
    const fillers = fillersOf({ fillers: { phrases: ['I will check.'], probability: 1 } });
    expect(fillers.map(({ text }) => text)).toEqual([
      'I will check.',
      'One moment.',
      'I will check.',
      'One moment.',
      'I will check.',
    ]);
  });

  it('never repeats the last phrase, whatever phrases an agent has', () => {
    const lists = fc.uniqueArray(fc.constantFrom('Hm.', 'I see.', 'Right, so.', 'Let me see.'), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(lists, fc.double({ min: 0, max: 1, noNaN: true }), (own, probability) => {
        const said = fillersOf({ fillers: { phrases: own, probability } }).map(({ text }) => text);
        expect(said).toHaveLength(5);
        for (const [at, text] of said.entries()) expect(text).not.toBe(said[at - 1]);
      }),
      { numRuns: 40, seed: 9 },
    );
  });
});
