import { describe, expect, it } from 'vitest';
import { count, long, run, spoken } from '../../../../test/helpers/turns.ts';

describe('silence', () => {
  it('triggers the check-in and then the end, both counted from its start', () => {
    const call = run();
    const from = 1_190;
    expect(call.sounds.map((s) => [s.text, s.from])).toEqual([
      ['Hello this is Maya.', 50],
      ['Are you there?', from + 5_000 + 50],
      ['Goodbye then.', from + 10_000 + 50],
    ]);
    expect(call.hangup).toEqual({ reason: 'USER_BECAME_IDLE', at: from + 10_050 + 13 * 60 });
    expect(call.state.history).toContainEqual({ role: 'silence' });
  });

  it('is asked about in the words of the model, which then has the floor as little as the phrase', () => {
    const seen: string[] = [];
    const call = run({
      with: { checksIn: true },
      brain: (history) => {
        seen.push(history.at(-1)?.role ?? '');
        return { text: 'Hello? Is Tuesday fine?', afterMs: 400, tools: [{ name: 'end_call' }] };
      },
    });
    const from = 1_190;
    expect(seen).toEqual(['silence']);
    expect(call.sounds.map((s) => [s.text, s.from]).slice(1)).toEqual([
      ['Hello?', from + 5_000 + 450],
      ['Is Tuesday fine?', from + 5_000 + 450 + 6 * 60],
      ['Goodbye then.', from + 10_000 + 50],
    ]);
    expect(call.hangup?.reason).toBe('USER_BECAME_IDLE');
    expect(call.state.history.slice(1, 3)).toEqual([
      { role: 'silence' },
      { role: 'agent', text: 'Hello? Is Tuesday fine?', interrupted: false },
    ]);
  });

  it.each([
    ['hangs', { afterMs: null }, 1_500],
    ['fails', { fails: 'for_now' as const }, 100],
    ['says nothing', {}, 100],
  ])('is asked about with the phrase when the model %s', (_what, answer, afterMs) => {
    const call = run({ with: { checksIn: true }, brain: () => answer });
    expect(call.sounds.map((s) => [s.text, s.from]).slice(1)).toEqual([
      ['Are you there?', 1_190 + 5_000 + afterMs + 50],
      ['Goodbye then.', 1_190 + 10_000 + 50],
    ]);
  });

  it('is answered by a reply with tools and memory when the brain waits for it', () => {
    const seen: unknown[] = [];
    const call = run({
      acts: [{ at: 2_000, says: 'Tell me.', forMs: 500 }],
      brain: (history, n) => {
        seen.push(history.at(-1)?.role);
        if (n === 1) return { text: 'Which day?', memory: 'asked', onSilence: true };
        return { text: 'Bye then.', tools: [{ name: 'end_call' }] };
      },
      untilMs: 20_000,
    });
    expect(seen).toEqual(['caller', 'silence']);
    expect(spoken(call).slice(-2)).toEqual(['agent: Which day?', 'agent: Bye then.']);
    expect(call.hangup?.reason).toBe('AGENT_ENDED');
  });

  it('is over when the caller speaks while the model words the check-in', () => {
    const call = run({
      with: { checksIn: true },
      acts: [{ at: 6_250, says: 'I am here.', forMs: 600 }],
      brain: (history, n) => ({
        text: `Reply ${n}.`,
        afterMs: history.at(-1)?.role === 'silence' ? 1_400 : 100,
      }),
      untilMs: 9_000,
    });
    expect(spoken(call).slice(1)).toEqual([
      'caller: I am here.',
      expect.stringMatching(/^agent: Reply [23]/),
    ]);
  });

  it('is broken by speech and by keys', () => {
    const call = run({ acts: [{ at: 9_000, presses: '5' }], untilMs: 14_000 });
    expect(call.hangup).toBe(null);
    expect(spoken(call)).toContain('caller: 5');
  });

  it('triggers no check-in when it is off', () => {
    const call = run({ with: { idleWarningMs: 0 } });
    expect(call.sounds.map((s) => s.text)).toEqual(['Hello this is Maya.', 'Goodbye then.']);
  });

  it('does not run while the agent speaks for long', () => {
    const call = run({
      acts: [{ at: 2_000, says: 'Tell me.', forMs: 500 }],
      brain: () => ({ text: `${long} ${long} ${long}` }),
      untilMs: 17_000,
    });
    expect(call.sounds.map((s) => s.text)).not.toContain('Are you there?');
  });

  it('is not the end when the caller answers the goodbye', () => {
    const call = run({ acts: [{ at: 11_400, says: 'I am here.', forMs: 700 }], untilMs: 14_000 });
    expect(call.hangup).toBe(null);
    expect(spoken(call)).toContain('caller: I am here.');
  });
});

describe('sound without words', () => {
  it('is ignored when short', () => {
    const call = run({ acts: [{ at: 2_000, says: '', forMs: 200, finalMs: null }], untilMs: 4_000 });
    expect(call.effects.filter(({ at }) => at > 1_200)).toEqual([]);
  });

  it('is answered by a request to repeat, twice at most', () => {
    const acts = [2_000, 5_000, 8_000].map((at) => ({ at, says: '', forMs: 600, finalMs: null }));
    const call = run({ acts, untilMs: 12_000 });
    expect(call.sounds.filter((s) => s.text === 'Pardon?')).toHaveLength(2);
    expect(count(call, 'generate')).toBe(0);
  });

  it('is committed with its partial when no final arrives', () => {
    const act = { at: 2_000, says: 'x', forMs: 1_000, finalMs: 1e9, partials: [[500, 'Tuesday.']] } as const;
    const call = run({ acts: [act], untilMs: 7_000 });
    expect(spoken(call)).toContain('caller: Tuesday.');
  });
});
