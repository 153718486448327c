import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, long, times } from '../../../../test/helpers/turns.ts';
import { simulate, type Act, type Simulation } from '../../../../test/rigs/turn/simulate.ts';
import { turnSettings, type TurnConfig } from '../settings.ts';

/** Sound over the agent's speech: how long it must last to stop the agent, with and without words. */
const SENSITIVITIES = ['high', 'default', 'low'] as const;
const NEEDED_MS = { high: 180, default: 300, low: 450 } as const;
/** The frame that shows that the sound goes on. */
const FRAME_MS = 20;

const call = (acts: readonly Act[], config: Partial<TurnConfig> = {}): Simulation =>
  simulate({
    settings: turnSettings({
      callConfig: { idle_timeout_warning: 0, idle_timeout_end: 60, mute_during_intro: false },
      introMessage: `${long} ${long}`,
      language: 'en-US',
      direction: 'outbound',
      ...config,
    }),
    acts,
    untilMs: 12_000,
  });
const stops = (simulation: Simulation): number[] => times(simulation, 'stop_speaking');
const noise = (at: number, forMs: number): Act => ({ at, says: '', forMs, finalMs: null });

describe('sound without words over the agent', () => {
  it('stops it at the length that the sensitivity needs, and never before', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SENSITIVITIES),
        fc.integer({ min: 60, max: 900 }),
        fc.integer({ min: 800, max: 4_000 }),
        (interruptionSensitivity, forMs, at) => {
          const needed = NEEDED_MS[interruptionSensitivity];
          const expected = forMs > needed ? [at + needed + FRAME_MS] : [];
          expect(stops(call([noise(at, forMs)], { interruptionSensitivity }))).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('lowers it long before it stops it', () => {
    for (const [i, interruptionSensitivity] of SENSITIVITIES.entries()) {
      const { lowered } = call([noise(2_000, 900)], { interruptionSensitivity });
      expect(lowered[0]?.from).toBe([2_060, 2_060, 2_160][i]);
    }
  });
});

describe('a recogniser that sends words during speech', () => {
  /** It is known to send them: the first sound of the call has words after 150 ms. */
  const okay: Act = { at: 1_000, says: 'Okay.', forMs: 240, partials: [[150, 'okay']] };

  it('stops the agent with its first words, whatever the sound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 80, max: 290 }), (afterMs) => {
        const act: Act = { at: 3_000, says: 'What about Friday', forMs: 900, partials: [[afterMs, 'what']] };
        expect(stops(call([okay, act]))).toEqual([3_000 + afterMs]);
      }),
      { numRuns: 50 },
    );
  });

  it('makes a sound without words no interruption for 700 ms', () => {
    for (const forMs of [310, 450, 690]) {
      const cough = call([okay, noise(3_000, forMs)]);
      expect(stops(cough)).toEqual([]);
      expect(cough.sounds.filter(({ cut }) => cut)).toEqual([]);
    }
    expect(stops(call([okay, noise(3_000, 1_200)]))).toEqual([3_720]);
  });

  it('goes on over the first word of a longer backchannel, and stops at the next one if it was none', () => {
    const hindi = { language: 'hi-IN' } as const;
    const says = (text: string, next: string): number[] =>
      stops(
        call(
          [
            okay,
            {
              at: 3_000,
              says: text,
              forMs: 600,
              partials: [
                [150, 'theek'],
                [450, next],
              ],
            },
          ],
          hindi,
        ),
      );
    expect(says('theek hai', 'theek hai')).toEqual([]);
    expect(says('theek nahi', 'theek nahi')).toEqual([3_450]);
    const slow: Act = { at: 3_000, says: 'all the same', forMs: 1_200, partials: [[150, 'all']] };
    expect(stops(call([okay, slow]))).toEqual([3_720]);
  });

  it('is not waited for again once a longer sound had its words only at its end', () => {
    const late: Act = { at: 2_500, says: 'Okay, okay.', forMs: 320, finalMs: 200 };
    // The sound of 320 ms raised what is needed.
    const [stop] = stops(call([okay, late, noise(5_000, 1_200)]));
    expect(stop).toBeLessThanOrEqual(5_520);
  });
});

describe('a sound that pauses', () => {
  it('does not stop the agent until it goes on', () => {
    const settings = turnSettings({
      callConfig: { mute_during_intro: false },
      introMessage: long,
      language: 'en-US',
      direction: 'outbound',
    });
    const simulation = simulate({ settings, acts: [noise(2_000, 300)], untilMs: 3_000 });
    expect(count(simulation, 'stop_speaking')).toBe(0);
  });
});
