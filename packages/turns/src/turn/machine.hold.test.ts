import { describe, expect, it } from 'vitest';
import { initialState, step } from './machine.ts';
import type { TurnEffect } from './types.ts';
import { settings } from '../../../../test/helpers/turns.ts';

describe('hold', () => {
  it('stops the agent and all timers, and speaks the rest after the resume', () => {
    let state = initialState(settings);
    const effects: { at: number; effect: TurnEffect }[] = [];
    const feed = (event: Parameters<typeof step>[1]): void => {
      const next = step(state, event);
      state = next.state;
      for (const effect of next.effects) effects.push({ at: event.at, effect });
    };
    feed({ type: 'answered', at: 0 });
    feed({ type: 'utterance_started', utteranceId: 0, at: 50 });
    feed({ type: 'held', at: 500 });
    feed({
      type: 'speaking_stopped',
      heard: [{ utteranceId: 0, playedMs: 450, totalMs: 1_140, complete: true }],
      at: 500,
    });
    feed({ type: 'speech_started', since: 900, at: 1_000 });
    for (let at = 1_000; at < 40_000; at += 1_000) feed({ type: 'wake', at });
    expect(effects.filter(({ effect }) => effect.type === 'hangup' || effect.type === 'generate')).toEqual(
      [],
    );
    expect(state.wakeAt).toBe(60_000);
    feed({ type: 'resumed', at: 40_000 });
    const rest = effects.filter(({ at, effect }) => at === 40_000 && effect.type === 'speak');
    expect(rest).toHaveLength(1);
    expect(rest[0]?.effect).toMatchObject({ text: expect.stringMatching(/Maya\.$/) });
    expect(state.wakeAt).toBeGreaterThan(40_000);
  });

  it('still ends at max_call_length', () => {
    let state = initialState(settings);
    let ended = false;
    for (const event of [
      { type: 'answered', at: 0 },
      { type: 'held', at: 100 },
      { type: 'wake', at: 60_000 },
    ] as const) {
      const next = step(state, event);
      state = next.state;
      ended ||= next.effects.some((effect) => effect.type === 'hangup');
    }
    expect(ended).toBe(true);
  });
});
