import { describe, expect, it } from 'vitest';
import type { Expected } from './ports.ts';
import { count, latencies, run, spoken, times } from '../../../../test/helpers/turns.ts';

describe('tools', () => {
  const question = { at: 2_000, says: 'Goodbye then.', forMs: 500 } as const;

  it('end the call after the goodbye was heard', () => {
    const call = run({
      acts: [question],
      brain: () => ({ text: 'Bye, take care.', tools: [{ name: 'end_call' }] }),
    });
    expect(call.hangup).toEqual({ reason: 'AGENT_ENDED', at: 2_850 + 15 * 60 });
    expect(spoken(call).at(-1)).toBe('agent: Bye, take care.');
    expect(count(call, 'tool')).toBe(0);
  });

  it('do not end the call when the caller speaks over the goodbye', () => {
    const call = run({
      acts: [question, { at: 3_000, says: 'Wait one more thing.', forMs: 1_000 }],
      brain: (_, n) =>
        n === 1 ? { text: 'Bye, take care.', tools: [{ name: 'end_call' }] } : { text: 'Yes?' },
      untilMs: 8_000,
    });
    expect(call.hangup).toBe(null);
    expect(spoken(call).slice(-2)).toEqual(['caller: Wait one more thing.', 'agent: Yes?']);
  });

  it('end the call although the caller says thank you', () => {
    const call = run({
      acts: [question, { at: 3_300, says: 'Thank you, bye.', forMs: 900 }],
      brain: () => ({ text: 'Bye, take care.', tools: [{ name: 'end_call' }] }),
    });
    expect(call.hangup?.reason).toBe('AGENT_ENDED');
    expect(spoken(call).at(-1)).toBe('agent: Bye, take care.');
  });

  it('opt out whatever the caller does', () => {
    const call = run({
      acts: [question, { at: 3_000, says: 'But wait a moment.', forMs: 800 }],
      brain: () => ({ text: 'We will not call again.', tools: [{ name: 'opt_out' }] }),
    });
    expect(call.hangup?.reason).toBe('OPTED_OUT');
    expect(count(call, 'tool')).toBe(1);
    expect(count(call, 'stop_speaking')).toBe(0);
  });

  it('run only after the commit, and their result triggers a reply', () => {
    const call = run({
      acts: [question],
      brain: (_, n) =>
        n === 1 ? { text: 'Let me look.', tools: [{ name: 'lookup' }], afterMs: 0 } : { text: 'Found it.' },
      untilMs: 8_000,
    });
    expect(times(call, 'tool')).toEqual(times(call, 'release').slice(1, 2));
    const second = call.effects.filter(({ effect }) => effect.type === 'generate')[1]?.effect;
    expect(second?.type === 'generate' ? second.history.slice(-2) : []).toEqual([
      { role: 'agent', text: 'Let me look.', interrupted: false },
      { role: 'tool', name: 'lookup', result: { ok: true }, key: expect.any(String) },
    ]);
    expect(spoken(call).slice(-2)).toEqual(['agent: Let me look.', 'agent: Found it.']);
    expect(latencies(call)).toHaveLength(1);
  });

  it('trigger no reply when their reply gave the caller the floor', () => {
    const expected: Expected = { kinds: ['yes_no'], phrases: [] };
    for (const toolMs of [10, 3_000]) {
      const call = run({
        acts: [question],
        toolMs,
        brain: () => ({ text: 'Noted. Anything else?', tools: [{ name: 'schedule_callback' }], expected }),
        untilMs: 7_000,
      });
      expect(count(call, 'generate')).toBe(1);
      expect(call.state.history.at(-1)?.role).toBe('tool');
    }
  });

  it('time out without an answer, and rounds are bounded', () => {
    const call = run({
      acts: [question],
      toolMs: 50,
      brain: () => ({ tools: [{ name: 'lookup' }] }),
      untilMs: 20_000,
    });
    expect(count(call, 'generate')).toBe(7);
    const slow = run({
      acts: [question],
      toolMs: 1e9,
      brain: (_, n) => (n === 1 ? { tools: [{ name: 'x' }] } : {}),
      untilMs: 20_000,
    });
    expect(slow.state.history).toContainEqual(
      expect.objectContaining({ role: 'tool', name: 'x', result: { error: 'timeout' } }),
    );
  });
});
