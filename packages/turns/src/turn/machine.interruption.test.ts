import { describe, expect, it } from 'vitest';
import type { HistoryItem } from './ports.ts';
import { turnSettings } from '../settings.ts';
import type { Interruption } from '../interruption-rules.ts';
import { initialState, step, type TurnState } from './machine.ts';
import { count, long, run, spoken, times } from '../../../../test/helpers/turns.ts';
const question = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;
const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };
const textOf = (history: readonly HistoryItem[]): string[] =>
  history.flatMap((item) => ('text' in item ? [item.text] : []));

describe('an interruption', () => {
  const brain = (): { text: string; afterMs: number } => ({ text: long, afterMs: 100 });
  // The reply sounds from 2850 on.
  const question = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;

  it('stops the agent after 200 ms of speech and keeps only what was heard', () => {
    const call = run({
      acts: [question, { at: 5_000, says: 'Tuesday is fine.', forMs: 900 }],
      brain: (_, n) => (n === 1 ? brain() : { text: 'Great.' }),
      untilMs: 12_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([5_200]);
    const cut = call.lines.find((line) => line.interrupted);
    expect(long.startsWith(cut?.text ?? '-')).toBe(true);
    // 2350 of 4860 ms played: 39 of 81 characters, cut at a word.
    expect(cut?.text).toBe('I have a slot on Tuesday and another');
    const interrupted = call.effects.find(({ effect }) => effect.type === 'interrupted');
    const start = call.log[0]?.at ?? 0;
    expect(interrupted?.effect).toEqual({ type: 'interrupted', at: start + 5_000, stoppedAt: start + 5_200 });
    expect(spoken(call).slice(-2)).toEqual(['caller: Tuesday is fine.', 'agent: Great.']);
    expect(call.sounds.filter((s) => s.from > 5_200).map((s) => s.text)).toEqual(['Great.']);
  });

  it('stops the agent earlier at words of a partial than at sound alone', () => {
    const call = run({
      acts: [question, { at: 5_000, says: 'No wait.', forMs: 900, partials: [[120, 'no']] }],
      brain,
      untilMs: 6_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([5_120]);
  });

  it('is a false alarm when the words are a backchannel: the agent speaks the rest', () => {
    const call = run({
      acts: [question, { at: 5_000, says: 'okay', forMs: 400 }],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(1);
    expect(count(call, 'interrupted')).toBe(0);
    expect(count(call, 'generate')).toBe(1);
    // Sound ends 5400, final at 5520: resumed within a second of the stop.
    const resumed = call.sounds.find((s) => s.from > 5_200);
    expect(resumed?.from).toBeLessThanOrEqual(6_200);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
    expect(call.state.history.at(-1)).toEqual({ role: 'agent', text: long, interrupted: false });
  });

  it('is not triggered by a backchannel recognised in a partial', () => {
    const call = run({
      acts: [question, { at: 5_000, says: 'uh huh', forMs: 600, partials: [[150, 'uh huh']] }],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
  });

  it('is a false alarm after noise without words', () => {
    const call = run({
      acts: [question, { at: 5_000, says: '', forMs: 500, finalMs: null }],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(1);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
    expect(count(call, 'turn_latency')).toBe(1);
  });

  it('is impossible under mute_while_bot_speaking', () => {
    const call = run({
      with: { muteWhileAgentSpeaks: true },
      acts: [question, { at: 5_000, says: 'Stop now please.', forMs: 900 }],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call).slice(-2)).toEqual([`agent: ${long}`, 'caller: Stop now please.']);
    expect(times(call, 'generate').at(-1)).toBe(2_850 + long.length * 60);
  });

  it('right after an okay is heard as one, although the final of the okay comes during it', () => {
    const call = run({
      acts: [
        question,
        { at: 4_000, says: 'okay', forMs: 70, finalMs: 400 },
        { at: 4_400, says: 'No wait, not on Tuesday.', forMs: 1_500 },
      ],
      brain: (_, n) => (n === 1 ? brain() : { text: 'Sure.' }),
      untilMs: 8_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([4_600]);
    expect(count(call, 'interrupted')).toBe(1);
  });

  it('keeps an early yes as the answer to the question it overlaps', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'Book it.', forMs: 500 },
        { at: 4_100, says: 'yes', forMs: 150, finalMs: 120 },
      ],
      brain: (_, n) => ({ text: n === 1 ? 'Is Tuesday at ten fine?' : 'Done.' }),
      untilMs: 8_000,
    });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call).slice(-3)).toEqual(['agent: Is Tuesday at ten fine?', 'caller: yes', 'agent: Done.']);
  });
});

describe('a hum over the end of a question', () => {
  const early = (says: string): readonly string[] =>
    spoken(
      run({
        acts: [
          { at: 2_000, says: 'Book it.', forMs: 500 },
          { at: 3_600, says, forMs: 150, finalMs: 120 },
        ],
        brain: (_, n) => ({ text: n === 1 ? 'Is Tuesday at ten fine?' : 'Done.' }),
        untilMs: 8_000,
      }),
    ).slice(-1);

  it.each(['Hmm.', 'Hmm, hmm.'])('is no answer: %s', (says) => {
    expect(early(says)).toEqual(['agent: Is Tuesday at ten fine?']);
  });

  it('is an answer with a word', () => {
    expect(early('Hmm, okay.')).toEqual(['agent: Done.']);
  });
});

describe('an interrupted reply', () => {
  it('plays nothing more after the caller’s turn', () => {
    const call = run({
      with: quiet,
      acts: [question, { at: 4_000, says: 'No, tell me the price.', forMs: 1_200 }],
      brain: (_, n) => ({ text: n === 1 ? `${long}. And there is more to say about it.` : 'Ten euros.' }),
      untilMs: 12_000,
    });
    const [stop = 0] = times(call, 'stop_speaking');
    expect(call.sounds.filter(({ from }) => from > stop).map(({ text }) => text)).toEqual(['Ten euros.']);
  });

  it('stays in the history as far as it was heard', () => {
    const seen: string[][] = [];
    run({
      with: quiet,
      acts: [question, { at: 4_000, says: 'No wait, not then.', forMs: 1_200 }],
      brain: (history, n) => {
        seen.push(textOf(history));
        return { text: n === 1 ? long : 'Sure.' };
      },
      untilMs: 12_000,
    });
    // 1350 ms of 60 ms a character: up to the stop at 4200.
    expect(seen.at(-1)?.at(-2)).toBe('I have a slot on');
  });
});

describe('the rule for interruptions', () => {
  const settings = turnSettings({
    callConfig: {},
    introMessage: 'Hello.',
    language: 'en-US',
    direction: 'inbound',
  });
  const changed = (state: TurnState, ...rules: Interruption[]): TurnState =>
    rules.reduce((before, rule) => step(before, { type: 'interruption_changed', rule, at: 1 }).state, state);

  it('changes in a call, keeps what was learned of its sounds, and comes back', () => {
    const before = initialState(settings);
    const learned = {
      ...before,
      adapted: { ...before.adapted, minSpeechMs: before.adapted.minSpeechMs + 50 },
    };
    const low = changed(learned, 'low');
    expect(low.settings.interruption).toEqual({ lowerMs: 160, minSpeechMs: 450, minWords: 2 });
    expect(low.adapted.minSpeechMs).toBe(500);
    const none = changed(low, 'none');
    expect([none.settings.muteWhileAgentSpeaks, none.adapted.minSpeechMs]).toEqual([true, 500]);
    expect(changed(none, 'default')).toEqual(learned);
  });
});
