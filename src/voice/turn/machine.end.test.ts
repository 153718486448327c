import { describe, expect, it } from 'vitest';
import { long, run, spoken } from '../../../test/helpers/turns.ts';

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

  it('comes after the idle timeout on a line with constant noise', () => {
    const call = run({ acts: [{ at: 2_000, says: 'blah', forMs: 100_000 }] });
    expect(call.hangup?.reason).toBe('USER_BECAME_IDLE');
  });

  it('by the caller records what was heard and the caller’s unfinished words', () => {
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
