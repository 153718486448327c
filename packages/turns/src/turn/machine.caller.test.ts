import { describe, expect, it } from 'vitest';
import type { TurnEffect, TurnEvent } from './types.ts';
import { initialState, step } from './machine.ts';
import type { Expected, HistoryItem } from './ports.ts';
import { count, long, run, settings, spoken, times } from '../../../../test/helpers/turns.ts';

const textOf = (history: readonly HistoryItem[]): string[] =>
  history.flatMap((item) => ('text' in item ? [item.text] : []));

describe('adaptation to a caller', () => {
  const turns = (texts: readonly string[], pauseMs: number) =>
    texts.map((says, i) => ({ at: 2_000 + i * (1_000 + pauseMs), says, forMs: 1_000 }));
  const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };

  it('lengthens the wait after long pauses inside turns, up to a bound', () => {
    // Each part continues 900 ms after the last: beyond the initial wait, within the adapted one.
    const acts = turns(
      Array.from({ length: 14 }, () => 'so it goes on'),
      900,
    );
    const call = run({
      with: { ...quiet, endpointing: { ...settings.endpointing, completeMs: 700 } },
      acts,
      brain: () => ({ text: 'I see.', afterMs: 400 }),
      untilMs: 40_000,
    });
    expect(call.state.adapted.defaultMs).toBeGreaterThan(900);
    expect(call.state.adapted.defaultMs).toBeLessThanOrEqual(1_200);
    expect(spoken(call).filter((line) => line.startsWith('caller'))).toHaveLength(1);
  });

  it('shortens the wait after fluent turns, down to a bound', () => {
    const acts = Array.from({ length: 12 }, (_, i) => ({
      at: 2_000 + i * 8_000,
      says: 'a long story',
      forMs: 4_000,
    }));
    const call = run({ with: { ...quiet, maxCallMs: 200_000 }, acts, untilMs: 120_000 });
    expect(call.state.adapted.defaultMs).toBe(500);
  });

  it('requires longer sound to interrupt on a noisy line', () => {
    const noise = [5_000, 6_500, 8_000].map((at) => ({ at, says: '', forMs: 300, finalMs: null }));
    const call = run({
      acts: [{ at: 2_000, says: 'Tell me.', forMs: 500 }, ...noise],
      brain: () => ({ text: `${long} ${long}` }),
      untilMs: 9_000,
    });
    // The noise lasts 300 ms: after the first false alarm it no longer reaches what is needed.
    expect(times(call, 'stop_speaking')).toEqual([5_200]);
  });
});

describe('keys', () => {
  const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };

  it('are collected until a pause', () => {
    const acts = (['4', '2', '7'] as const).map((presses, i) => ({ at: 2_000 + i * 400, presses }));
    const call = run({ with: quiet, acts, untilMs: 6_000 });
    expect(times(call, 'generate')).toEqual([2_800 + 1_500]);
    expect(spoken(call).slice(1)).toEqual(['caller: 427', 'agent: All right.']);
    expect(call.lines[1]?.by).toBe('keypad');
  });

  it('are complete with the hash key', () => {
    const acts = (['4', '2', '#'] as const).map((presses, i) => ({ at: 2_000 + i * 100, presses }));
    expect(times(run({ with: quiet, acts, untilMs: 6_000 }), 'generate')).toEqual([2_200]);
  });

  it('answer at once where a single key is an answer', () => {
    const call = run({
      with: quiet,
      acts: [
        { at: 2_000, says: 'Hi there.', forMs: 500 },
        { at: 5_000, presses: '1' },
      ],
      brain: () => ({ text: 'Press one.', expected: { kinds: ['yes_no'], phrases: [] } }),
      untilMs: 6_000,
    });
    expect(times(call, 'generate').at(-1)).toBe(5_000);
  });

  it('interrupt like speech, except the muted intro', () => {
    const call = run({ with: quiet, acts: [{ at: 300, presses: '9' }], untilMs: 3_000 });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(times(call, 'generate')).toEqual([1_800]);
    const introExpected: Expected = { kinds: ['choice'], phrases: [] };
    const free = run({
      with: { ...quiet, muteDuringIntro: false, introExpected },
      acts: [{ at: 300, presses: '9' }],
      untilMs: 3_000,
    });
    expect(times(free, 'stop_speaking')).toEqual([300]);
  });

  it('do not cut the agent off when it expects none, and are answered after its words', () => {
    const world = {
      with: quiet,
      brain: () => ({ text: long, afterMs: 100 }),
      untilMs: 12_000,
    };
    const said = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;
    const slip = run({ ...world, acts: [said, { at: 4_000, presses: '5' }] });
    expect(count(slip, 'stop_speaking')).toBe(0);
    expect(spoken(slip).slice(-2)).toEqual([`agent: ${long}`, 'caller: 5']);
    // A second key is no slip.
    const meant = run({
      ...world,
      acts: [said, { at: 4_000, presses: '5' }, { at: 4_300, presses: '1' }],
    });
    expect(times(meant, 'stop_speaking')).toEqual([4_300]);
  });

  it('cut the agent where its own question asks for them', () => {
    const call = run({
      with: quiet,
      acts: [
        { at: 2_000, says: 'When can I come?', forMs: 500 },
        { at: 4_000, presses: '1' },
      ],
      brain: () => ({ text: 'Press 1 for Tuesday at ten in the morning, or 2 for Friday afternoon.' }),
      untilMs: 6_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([4_000]);
  });
});

describe('a turn that the recogniser finalises several times', () => {
  it('gets one reply and is recorded once', () => {
    let state = initialState(settings);
    const effects: TurnEffect[] = [];
    const feed = (event: TurnEvent): void => {
      const next = step(state, event);
      state = next.state;
      effects.push(...next.effects);
    };
    feed({ type: 'answered', at: 0 });
    feed({ type: 'utterance_started', utteranceId: 0, at: 50 });
    feed({ type: 'utterance_ended', utteranceId: 0, at: 1_000 });
    feed({ type: 'speech_started', since: 2_000, at: 2_060 });
    feed({ type: 'speech_stopped', since: 2_600, at: 2_680 });
    for (const at of [2_700, 2_720, 3_000, 3_300]) feed({ type: 'final', text: 'Book it.', at });
    feed({ type: 'wake', at: 3_400 });
    expect(effects.filter(({ type }) => type === 'generate')).toHaveLength(1);
    expect(textOf(state.history)).toEqual(['Hello this is Maya.', 'Book it.']);
  });
});
