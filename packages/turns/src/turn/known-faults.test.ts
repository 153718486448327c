import { describe, expect, it } from 'vitest';
import { count, long, run, settings, spoken, times } from '../../../../test/helpers/turns.ts';
import type { HistoryItem } from './ports.ts';
import { initialState, step } from './machine.ts';
import type { TurnEffect, TurnEvent } from './types.ts';

/** Faults that users of other voice agents report; each test is named after the fault that it prevents. */
const question = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;
const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };
const textOf = (history: readonly HistoryItem[]): string[] =>
  history.flatMap((item) => ('text' in item ? [item.text] : []));

describe('no agent', () => {
  it('stops for a hmm or okay, and none that stopped by mistake starts its sentence again', () => {
    const call = run({
      with: quiet,
      acts: [question, ...[3_500, 4_700, 6_000].map((at) => ({ at, says: 'hmm', forMs: 500 }) as const)],
      brain: () => ({ text: long }),
      untilMs: 14_000,
    });
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
    // What sounded twice is at most the word at which it stopped.
    const words = call.sounds.slice(1).map(({ from, to }) => (to - from) / 60);
    expect(words.reduce((sum, length) => sum + length, 0)).toBeLessThan(long.length + 2 * 8);
    expect(count(call, 'generate')).toBe(1);
  });

  it('plays audio of an interrupted reply after the caller’s turn', () => {
    const call = run({
      with: quiet,
      acts: [question, { at: 4_000, says: 'No, tell me the price.', forMs: 1_200 }],
      brain: (_, n) => ({ text: n === 1 ? `${long}. And there is more to say about it.` : 'Ten euros.' }),
      untilMs: 12_000,
    });
    const [stop = 0] = times(call, 'stop_speaking');
    expect(call.sounds.filter(({ from }) => from > stop).map(({ text }) => text)).toEqual(['Ten euros.']);
  });

  it('is taken for speaking while its voice sends no packet', () => {
    let state = initialState(settings);
    const said: string[] = [];
    const feed = (event: TurnEvent): void => {
      const next = step(state, event);
      state = next.state;
      for (const effect of next.effects) if (effect.type === 'speak') said.push(effect.text);
    };
    feed({ type: 'answered', at: 0 });
    for (let at = 500; at <= 7_000; at += 500) feed({ type: 'wake', at });
    expect(said).toEqual(['Hello this is Maya.', 'Sorry, say it again.', 'We have a problem.']);
  });

  it('gives two replies to a turn that the recogniser finalises twice', () => {
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

  it('remembers words that were never heard', () => {
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

  it('fails to hang up after its goodbye, and none hangs up on a caller who speaks during it', () => {
    const brain = (_: unknown, n: number) =>
      n === 1 ? { text: 'Bye, take care now.', tools: [{ name: 'end_call' }] } : { text: 'Of course.' };
    const ends = run({ with: quiet, acts: [question], brain, untilMs: 20_000 });
    expect(ends.hangup).toEqual({ reason: 'AGENT_ENDED', at: 2_850 + 19 * 60 });
    const speaks = { at: 3_300, says: 'Wait, one more thing.', forMs: 1_200 };
    const goesOn = run({ with: quiet, acts: [question, speaks], brain, untilMs: 20_000 });
    expect(goesOn.hangup).toBe(null);
    expect(spoken(goesOn).at(-1)).toBe('agent: Of course.');
  });

  it('waits for a callee who never says hello', () => {
    const call = run({ with: { ...quiet, start: { after: 'hello', waitMs: 700 } }, untilMs: 3_000 });
    expect(call.sounds[0]).toMatchObject({ text: 'Hello this is Maya.', from: 700 });
  });

  it('is wedged by words during a muted first message: they are answered after it', () => {
    const call = run({ with: quiet, acts: [{ at: 200, says: 'Who is this?', forMs: 700 }], untilMs: 6_000 });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call)).toEqual(['agent: Hello this is Maya.', 'caller: Who is this?', 'agent: All right.']);
  });

  it.each([
    ['sends an empty reply', { brain: () => ({}) }],
    ['fails', { brain: () => ({ fails: 'for_now' as const }) }],
    ['hangs', { brain: () => ({ afterMs: null }) }],
  ])('is silent when its model %s', (_what, world) => {
    const call = run({ with: quiet, acts: [question], untilMs: 12_000, ...world });
    expect(call.sounds.map(({ text }) => text)).toContain('Sorry, say it again.');
    const silences = call.sounds
      .slice(1)
      .map(({ from }, i) => from - Math.max(2_500, call.sounds[i]?.to ?? 0));
    expect(Math.max(...silences)).toBeLessThanOrEqual(8_000);
  });

  it('goes quiet for good when its recogniser is lost', () => {
    let state = initialState(settings);
    const said: string[] = [];
    for (const event of [
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 50 },
      { type: 'utterance_ended', utteranceId: 0, at: 1_000 },
      { type: 'stt_failed', retryable: false, at: 2_000 },
    ] as const) {
      const next = step(state, event);
      state = next.state;
      for (const effect of next.effects) if (effect.type === 'speak') said.push(effect.text);
    }
    expect(said.at(-1)).toBe('Sorry, say it again.');
  });
});
