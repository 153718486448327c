import { describe, expect, it } from 'vitest';
import { lengthOf, planCall } from './plan.ts';
import { callerWords, repliesOf, SCRIPTS } from './scripts.ts';

describe('the scripts of the caller suite', () => {
  it('are sixty, in four languages, with an id each', () => {
    expect(SCRIPTS).toHaveLength(60);
    expect(new Set(SCRIPTS.map(({ id }) => id)).size).toBe(60);
    expect(new Set(SCRIPTS.map(({ language }) => language)).size).toBe(4);
  });

  it('get the reply of each step by its own words', () => {
    const replies = repliesOf(SCRIPTS);
    for (const { steps } of SCRIPTS) {
      for (const step of steps) {
        const words = callerWords(step);
        if (words === null || !('reply' in step) || step.reply === undefined || step.calls === true) continue;
        expect(replies.find(({ to }) => words.includes(to))?.text).toBe(step.reply);
      }
    }
  });

  it.each(SCRIPTS.map((script) => [script.id, script] as const))(
    '%s: the agent talks for half a second after everything that is planned into its line',
    (_, script) => {
      const cues = [1, 2, 3].flatMap((seed) => planCall(script, seed).cues);
      let lineFrom = 0;
      const restsMs = cues.map(({ into, kind, fromMs, toMs }) => {
        const stops = kind === 'interruption';
        const restMs = into === null ? Infinity : lineFrom + lengthOf(into) - (stops ? fromMs : toMs);
        if (into === null || stops) lineFrom = toMs + 650;
        return restMs;
      });
      expect(Math.min(...restsMs)).toBeGreaterThan(500);
      const pauses = cues.flatMap((cue) => cue.pauses).map(({ fromMs, toMs }) => toMs - fromMs);
      expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(700);
    },
  );

  it('are planned alike for a seed, and otherwise for another one', () => {
    const [script] = SCRIPTS;
    if (script === undefined) throw new Error('no script');
    const times = (seed: number): number[] => planCall(script, seed).cues.map(({ fromMs }) => fromMs);
    expect(times(1)).toEqual(times(1));
    expect(times(1)).not.toEqual(times(2));
  });
});
