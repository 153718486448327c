import { describe, expect, it } from 'vitest';
import { count, spoken } from '../../../../test/helpers/turns.ts';
import { simulate, type Act, type Simulation } from '../../../../test/rigs/turn/simulate.ts';
import { turnSettings } from '../settings.ts';
import { initialState, step } from './machine.ts';
import type { TurnEffect, TurnEvent } from './types.ts';

/** Pieces of one turn with a pause after each, after the agent's question. */
function pieces(
  question: string,
  parts: readonly string[],
  pauseMs: number,
  reply = 'Thank you.',
): Simulation {
  let at = question.length * 60 + 1_000;
  const acts = parts.map((says): Act => {
    const from = at;
    const forMs = Math.max(400, says.length * 50);
    at += forMs + pauseMs;
    return { at: from, says, forMs, finalMs: 200 };
  });
  return simulate({
    settings: turnSettings({
      callConfig: { idle_timeout_warning: 0, idle_timeout_end: 60 },
      introMessage: question,
      language: 'en-IN',
      direction: 'outbound',
    }),
    acts,
    brain: () => ({ text: reply }),
    untilMs: at + 6_000,
  });
}

const turnsOf = (call: Simulation): string[] => spoken(call).filter((line) => line.startsWith('caller'));

describe('a pause', () => {
  it.each([
    ['I would like to come on', 'Friday afternoon.'],
    ['I want to change it because', 'my car is broken.'],
    ['My address is', 'twelve Hill Road.'],
  ])('does not end a turn within 2 s in the middle of a sentence: %s', (...parts) => {
    const call = pieces('What can I do for you?', parts, 2_000);
    expect(turnsOf(call)).toEqual([`caller: ${parts.join(' ')}`]);
    expect(call.sounds.filter(({ text }) => text === 'Thank you.')).toHaveLength(1);
  });

  it('does not end a turn within 700 ms after any words', () => {
    expect(
      turnsOf(pieces('What can I do for you?', ['I need a table', 'for two people', 'tonight.'], 700)),
    ).toEqual(['caller: I need a table for two people tonight.']);
  });

  it.each(['um', 'Let me check.', 'ek minute', 'Okay, hold on.'])(
    'of 4.5 s after "%s" is waited out',
    (says) => {
      const call = pieces('What is your order number?', [says, 'It is on the box.'], 4_500);
      expect(turnsOf(call)).toEqual([`caller: ${says} It is on the box.`]);
    },
  );

  it('ends 5 s after a request to wait, and the agent answers', () => {
    const call = pieces('What is your order number?', ['Let me check.', 'Here it is.'], 6_000);
    expect(turnsOf(call)).toEqual(['caller: Let me check.', 'caller: Here it is.']);
  });
});

describe('a dictated number', () => {
  const groups = [
    ['9876', '5432', '10'],
    ['98765', '43210'],
    ['nine eight seven', 'six five four', 'three two one zero'],
  ];

  it.each(groups)('does not split a phone number said in pieces: %s', (...parts) => {
    const call = pieces('What is your phone number?', parts, 1_800);
    expect(turnsOf(call)).toEqual([`caller: ${parts.join(' ')}`]);
    // And it is answered as soon as it is whole.
    const last = call.lines.find(({ role }) => role === 'caller');
    expect((call.sounds.at(-1)?.from ?? 0) - ((last?.endedAt ?? 0) - (call.log[0]?.at ?? 0))).toBeLessThan(
      400,
    );
  });

  it('does not split a card number said in four groups', () => {
    const call = pieces('And your card number, please?', ['4111', '1111', '2222', '3333.'], 2_000);
    expect(turnsOf(call)).toEqual(['caller: 4111 1111 2222 3333.']);
    expect(count(call, 'turn_latency')).toBe(1);
  });

  it('of unknown length is one turn with pauses of 1.1 s between its groups, answered within 1.6 s', () => {
    const call = pieces('What is your order number?', ['4 2 7 1', '9 3 5', '2 2'], 1_100);
    expect(turnsOf(call)).toEqual(['caller: 4 2 7 1 9 3 5 2 2']);
    const last = call.lines.find(({ role }) => role === 'caller');
    expect((call.sounds.at(-1)?.from ?? 0) - ((last?.endedAt ?? 0) - (call.log[0]?.at ?? 0))).toBeLessThan(
      1_600,
    );
  });

  const LONG = 'Thank you, and on which day of the week did you place the order?';
  /** What each request to the brain has after the agent's question. */
  const asked = (call: Simulation): string[][] =>
    call.effects.flatMap(({ effect }) =>
      effect.type === 'generate'
        ? [effect.history.slice(1).map((item) => ('text' in item ? `${item.role}: ${item.text}` : item.role))]
        : [],
    );

  it('of unknown length whose digits go on over the reply is one number for the brain', () => {
    const call = pieces('What is your order number?', ['4 2 7 1', '9 3 5'], 1_500, LONG);
    expect(asked(call).at(0)).toEqual(['caller: 4 2 7 1']);
    expect(asked(call).at(-1)).toEqual(['caller: 4 2 7 1 9 3 5']);
    // The transcript has what was said, each part once.
    expect(spoken(call).slice(1)).toEqual([
      'caller: 4 2 7 1',
      expect.stringMatching(/^agent!: Thank/) as string,
      'caller: 9 3 5',
      `agent: ${LONG}`,
    ]);
  });

  it('of unknown length is not taken back by other words over the reply, nor later than 1.5 s after it', () => {
    for (const [words, pauseMs] of [
      ['wait it was 5', 1_500],
      ['2 for Friday', 1_500],
      ['9 3 5', 2_750],
    ] as const) {
      const call = pieces('What is your order number?', ['4 2 7 1', words], pauseMs, LONG);
      expect(asked(call).at(-1)?.[0]).toBe('caller: 4 2 7 1');
      expect(asked(call).at(-1)?.at(-1)).toBe(`caller: ${words}`);
    }
  });

  it('is not ended by a recogniser that is certain of the end before its last digit', () => {
    const question = 'What is your phone number?';
    let state = initialState(
      turnSettings({ callConfig: {}, introMessage: question, language: 'en-IN', direction: 'outbound' }),
    );
    const effects: TurnEffect[] = [];
    const feed = (event: TurnEvent): void => {
      const next = step(state, event);
      state = next.state;
      effects.push(...next.effects);
    };
    const says = (from: number, text: string, turn: string): void => {
      feed({ type: 'speech_started', since: from, at: from + 60 });
      feed({ type: 'partial', text, at: from + 800, turn });
      feed({ type: 'speech_stopped', since: from + 1_000, at: from + 1_080 });
      feed({ type: 'final', text, certain: true, at: from + 1_300, turn });
    };
    feed({ type: 'answered', at: 0 });
    feed({ type: 'utterance_started', utteranceId: 0, at: 50 });
    feed({ type: 'utterance_ended', utteranceId: 0, at: 1_500 });
    says(2_000, '98765', 'a');
    expect(effects.filter(({ type }) => type === 'generate')).toEqual([]);
    says(4_800, '43210', 'b');
    expect(effects.filter(({ type }) => type === 'generate')).toHaveLength(1);
    expect(state.turn?.text).toBe('98765 43210');
  });
});
