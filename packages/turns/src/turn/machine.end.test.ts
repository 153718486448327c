import { describe, expect, it } from 'vitest';
import { long, run, spoken } from '../../../../test/helpers/turns.ts';

const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };
const question = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;

describe('the end of a call', () => {
  it('comes at max_call_length, after a goodbye', () => {
    const chatter = Array.from({ length: 20 }, (_, i) => ({
      at: 2_000 + i * 3_000,
      says: 'And then what.',
      forMs: 800,
    }));
    const call = run({ acts: chatter });
    expect(call.sounds.map((s) => s.text)).toContain('Our time is up.');
    expect(call.hangup?.reason).toBe('MAX_CALL_DURATION');
    expect(call.hangup?.at).toBeLessThanOrEqual(60_000);
  });

  it('comes between two sentences of the agent, not in one of them', () => {
    const sentence = 'This is a sentence of the agent that takes about four seconds to say.';
    // The reply begins at 44.85 s and would go on far beyond the cap; the goodbye needs 3 s.
    const call = run({
      with: { idleWarningMs: 0, idleEndMs: 60_000 },
      acts: [{ at: 44_000, says: 'Tell me.', forMs: 500 }],
      brain: () => ({ text: Array.from({ length: 8 }, () => sentence).join(' ') }),
    });
    expect(call.sounds.filter(({ cut }) => cut)).toEqual([]);
    expect(call.sounds.at(-1)?.text).toBe('Our time is up.');
    expect(call.sounds.at(-1)?.from).toBeGreaterThan(51_000);
    expect(call.hangup?.reason).toBe('MAX_CALL_DURATION');
    expect(spoken(call).some((line) => line.startsWith('agent!'))).toBe(true);
  });

  it('comes after the caller’s sentence where there is time for it', () => {
    const call = run({
      with: { idleWarningMs: 0, idleEndMs: 60_000 },
      acts: [{ at: 50_000, says: 'I have one more long question.', forMs: 4_000 }],
    });
    const goodbye = call.sounds.at(-1);
    expect(goodbye?.text).toBe('Our time is up.');
    expect(goodbye?.from).toBeGreaterThanOrEqual(54_000);
    expect(call.hangup?.reason).toBe('MAX_CALL_DURATION');
  });

  it('does not hang up on a caller who talks over its last words, for 2 s at most', () => {
    const optOut = (forMs: number) =>
      run({
        acts: [
          { at: 2_000, says: 'Stop calling me.', forMs: 500 },
          { at: 3_500, says: 'And tell the others.', forMs },
        ],
        brain: () => ({ text: 'We will not call again.', tools: [{ name: 'opt_out' }] }),
      });
    // The last words end at 2850 + 23 * 60 = 4230.
    expect(optOut(1_500).hangup).toEqual({ reason: 'OPTED_OUT', at: 5_120 });
    expect(optOut(9_000).hangup).toEqual({ reason: 'OPTED_OUT', at: 6_230 });
    expect(optOut(200).hangup).toEqual({ reason: 'OPTED_OUT', at: 4_230 });
  });

  it('comes after the idle timeout on a line with constant noise', () => {
    const call = run({ acts: [{ at: 2_000, says: 'blah', forMs: 100_000 }] });
    expect(call.hangup?.reason).toBe('USER_BECAME_IDLE');
  });

  it('records what was heard and the unfinished words when the caller hangs up', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'When?', forMs: 500 },
        {
          at: 3_500,
          says: 'x',
          forMs: 2_000,
          partials: [
            [100, 'okay'],
            [160, 'okay but'],
          ],
        },
        { at: 3_640, event: 'hangs_up' },
      ],
      brain: () => ({ text: long }),
    });
    expect(call.hangup).toBe(null);
    expect(call.state.call).toMatchObject({ phase: 'ended', reason: 'USER_LEFT' });
    expect(spoken(call).slice(-2)).toEqual(['agent!: I have a slot', 'caller: okay']);
  });

  it('requested from outside speaks its text and hangs up', () => {
    const call = run({ acts: [{ at: 600, ends: 'USER_TERMINATED', say: 'We must stop here.' }] });
    expect(spoken(call)).toEqual(['agent!: Hello', 'agent: We must stop here.']);
    expect(call.hangup?.reason).toBe('USER_TERMINATED');
    expect(run({ acts: [{ at: 600, ends: 'USER_TERMINATED', say: null }] }).hangup?.at).toBe(600);
  });

  it('follows a media timeout', () => {
    const call = run({ acts: [{ at: 4_000, event: 'media_lost' }] });
    expect(call.hangup).toEqual({ reason: 'MEDIA_TIMEOUT', at: 4_000 });
  });
});

describe('a goodbye with end_call', () => {
  it('hangs up after its last word, unless the caller speaks during it', () => {
    const brain = (_: unknown, n: number) =>
      n === 1 ? { text: 'Bye, take care now.', tools: [{ name: 'end_call' }] } : { text: 'Of course.' };
    const ends = run({ with: quiet, acts: [question], brain, untilMs: 20_000 });
    expect(ends.hangup).toEqual({ reason: 'AGENT_ENDED', at: 2_850 + 19 * 60 });
    const speaks = { at: 3_300, says: 'Wait, one more thing.', forMs: 1_200 };
    const goesOn = run({ with: quiet, acts: [question, speaks], brain, untilMs: 20_000 });
    expect(goesOn.hangup).toBe(null);
    expect(spoken(goesOn).at(-1)).toBe('agent: Of course.');
  });
});
