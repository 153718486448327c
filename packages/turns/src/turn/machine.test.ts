import { describe, expect, it } from 'vitest';
import type { Expected } from './ports.ts';
import { initialState, step } from './machine.ts';
import type { TurnEffect } from './types.ts';
import {
  callerTexts,
  count,
  latencies,
  long,
  run,
  settings,
  spoken,
  times,
} from '../../../../test/helpers/turns.ts';

describe('a turn', () => {
  it('starts with the first message, at once', () => {
    const call = run({ untilMs: 2_000 });
    expect(call.effects.slice(0, 3).map(({ at, effect }) => [at, effect.type])).toEqual([
      [0, 'speak'],
      [0, 'end_speech'],
      [0, 'release'],
    ]);
    expect(spoken(call)).toEqual(['agent: Hello this is Maya.']);
  });

  it('prepares the reply in silence and releases it once the turn is complete', () => {
    const call = run({ acts: [{ at: 2_000, says: 'I want to book.' }], untilMs: 5_000 });
    // The sound ends at 2900, known at 3020 with its final; complete-looking, so committed at 3250.
    expect(times(call, 'generate')).toEqual([3_050]);
    expect(times(call, 'release').at(-1)).toBe(3_250);
    expect(call.sounds[1]).toEqual({ text: 'All right.', from: 3_250, to: 3_850, cut: false });
    expect(latencies(call)).toEqual([
      {
        turn: 1,
        endpointingMs: 350,
        recognitionMs: 120,
        modelMs: 100,
        voiceMs: 100,
        totalMs: 350,
        prepared: true,
      },
    ]);
    expect(spoken(call)).toEqual([
      'agent: Hello this is Maya.',
      'caller: I want to book.',
      'agent: All right.',
    ]);
  });

  it.each([
    ['I want to book.', 350],
    ['I want to book', 700],
    ['I want to book and', 2_300],
    ['my number is nine eight', 1_200],
    ['it is spelled r a', 2_300],
    ['um', 5_000],
    ['Okay, let me check.', 5_000],
    ['yes it is', 350],
    ['yes', 350],
  ])('waits for "%s" %d ms', (says, waitMs) => {
    const call = run({ acts: [{ at: 2_000, says, forMs: 1_000 }], untilMs: 9_000 });
    expect(times(call, 'release').at(1)).toBe(3_000 + waitMs);
  });

  it('stays one turn when the caller pauses inside it', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'I want a table', forMs: 1_000 },
        { at: 3_600, says: 'for two.', forMs: 500 },
      ],
      untilMs: 8_000,
    });
    expect(spoken(call)).toEqual([
      'agent: Hello this is Maya.',
      'caller: I want a table for two.',
      'agent: All right.',
    ]);
    expect(count(call, 'generate')).toBe(2);
    expect(count(call, 'cancel_reply')).toBe(1);
    expect(count(call, 'turn_latency')).toBe(1);
  });

  it('is reopened when the caller continues before the reply is heard; the next wait is longer', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'I want a table.', forMs: 1_000 },
        { at: 3_400, says: 'Outside.', forMs: 500 },
      ],
      brain: () => ({ text: 'Sure.', afterMs: 400 }),
      untilMs: 8_000,
    });
    expect(spoken(call)).toEqual([
      'agent: Hello this is Maya.',
      'caller: I want a table. Outside.',
      'agent: Sure.',
    ]);
    expect(latencies(call)).toHaveLength(1);
    expect(call.state.adapted.defaultMs).toBeGreaterThan(700);
  });

  it('gets one reply although the recogniser finalises twice', () => {
    const state = [
      { type: 'answered', at: 0 } as const,
      { type: 'utterance_started', utteranceId: 0, at: 10 } as const,
      { type: 'utterance_ended', utteranceId: 0, at: 500 } as const,
      { type: 'speech_started', since: 1_000, at: 1_060 } as const,
      { type: 'speech_stopped', since: 2_000, at: 2_120 } as const,
      { type: 'final', text: 'Yes.', at: 2_130 } as const,
      { type: 'final', text: 'yes', at: 2_200 } as const,
      { type: 'wake', at: 2_400 } as const,
      { type: 'final', text: 'yes', at: 2_420 } as const,
    ];
    let now = initialState(settings);
    const effects = state.flatMap((event) => {
      const result = step(now, event);
      now = result.state;
      return result.effects;
    });
    expect(effects.filter((e) => e.type === 'generate')).toHaveLength(1);
    expect(callerTexts(now.history)).toEqual(['Yes.']);
  });

  it('requests a new reply when a final arrives after the reply was prepared', () => {
    const call = run({
      acts: [{ at: 2_000, says: 'I want', forMs: 1_000, finalMs: 120 }],
      untilMs: 3_160,
    });
    const changed = step(call.state, { type: 'final', text: 'a table.', at: (call.log[0]?.at ?? 0) + 3_200 });
    expect(changed.effects.map((e) => e.type)).toEqual(['cancel_reply', 'generate']);
  });

  it('takes a whole short answer to an expected question as complete', () => {
    const expected: Expected = { kinds: ['date'], phrases: [] };
    const call = run({
      acts: [
        { at: 2_000, says: 'Book it.', forMs: 500 },
        { at: 6_000, says: 'next tuesday', forMs: 500 },
      ],
      brain: () => ({ text: 'Which day?', expected }),
      untilMs: 9_000,
    });
    expect(times(call, 'release').at(-1)).toBe(6_500 + 350);
    expect(call.effects.some(({ effect }) => effect.type === 'expect' && effect.expected === expected)).toBe(
      true,
    );
  });
});

describe('the first message', () => {
  it('is not stopped while muted; words spoken meanwhile become the next turn', () => {
    const call = run({ acts: [{ at: 300, says: 'Who is this?', forMs: 500 }], untilMs: 4_000 });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call)).toEqual(['agent: Hello this is Maya.', 'caller: Who is this?', 'agent: All right.']);
    expect(times(call, 'generate')).toEqual([1_190]);
  });

  it('is stopped by words when not muted', () => {
    const call = run({
      with: { muteDuringIntro: false },
      acts: [{ at: 300, says: 'Who is this?', forMs: 700 }],
      untilMs: 4_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([500]);
    expect(spoken(call)).toEqual(['agent!: Hello', 'caller: Who is this?', 'agent: All right.']);
  });

  it.each([true, false])(
    'goes on over the hello of picking up (muted: %s), which stays on record',
    (muteDuringIntro) => {
      const call = run({
        with: { muteDuringIntro },
        acts: [{ at: 100, says: 'Hello?', forMs: 400 }],
        untilMs: 4_000,
      });
      expect(count(call, 'generate')).toBe(0);
      expect(spoken(call)).toEqual(['caller: Hello?', 'agent: Hello this is Maya.']);
    },
  );

  it('sets the recogniser’s expected answer', () => {
    const introExpected: Expected = { kinds: ['yes_no'], phrases: [] };
    const call = run({ with: { introExpected }, untilMs: 500 });
    expect(call.effects.at(-1)?.effect).toEqual({ type: 'expect', expected: introExpected });
    expect(call.state.expected).toBe(introExpected);
  });

  it('is generated when empty, unless the caller speaks first', () => {
    expect(count(run({ with: { introMessage: '' }, untilMs: 500 }), 'generate')).toBe(1);
    const waits = run({ with: { introMessage: '', speaksFirst: false }, untilMs: 500 });
    expect(waits.effects).toEqual([]);
  });
});

describe('a recogniser with its own VAD', () => {
  it('may finish before the gate: its final covers both sounds, and no further final is awaited', () => {
    const at = (ms: number) => ({ at: ms });
    let state = initialState(settings);
    const effects: TurnEffect[] = [];
    const feed = (event: Parameters<typeof step>[1]): void => {
      const next = step(state, event);
      state = next.state;
      effects.push(...next.effects);
    };
    feed({ type: 'answered', ...at(0) });
    feed({ type: 'utterance_started', utteranceId: 0, ...at(50) });
    feed({ type: 'utterance_ended', utteranceId: 0, ...at(1_000) });
    feed({ type: 'speech_started', ...at(2_060), since: 2_000 });
    feed({ type: 'speech_stopped', ...at(2_600), since: 2_480 });
    feed({ type: 'speech_started', ...at(2_700), since: 2_640 });
    feed({ type: 'final', text: 'What time do you open?', ...at(3_300) });
    feed({ type: 'speech_stopped', ...at(3_320), since: 3_200 });
    feed({ type: 'wake', ...at(3_350) });
    expect(effects.filter((effect) => effect.type === 'generate')).toHaveLength(1);
    expect(state.wakeAt).toBeLessThanOrEqual(3_550);
  });
});

describe('a language without recognition', () => {
  it('continues after the first message to offer keys', () => {
    const call = run({ with: { goesOnAfterIntro: true }, untilMs: 4_000 });
    expect(count(call, 'generate')).toBe(1);
    expect(call.lines.map((line) => line.role)).toEqual(['agent', 'agent']);
  });
});

it('returns the same effects for the same event log', () => {
  const call = run({
    acts: [
      { at: 2_000, says: 'When can I come?', forMs: 500 },
      { at: 5_000, says: 'okay', forMs: 400 },
      { at: 7_000, presses: '3' },
    ],
    brain: () => ({ text: long }),
  });
  let state = initialState(settings);
  const again = call.log.flatMap((event) => {
    const result = step(state, event);
    state = result.state;
    return result.effects;
  });
  expect(again).toEqual(call.effects.map(({ effect }) => effect));
  expect(state).toEqual(call.state);
});
