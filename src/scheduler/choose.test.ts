import { describe, expect, it } from 'vitest';
import { admit } from './choose.ts';

describe('admission', () => {
  const now = Date.UTC(2026, 0, 5, 10);
  const base: Parameters<typeof admit>[0] = {
    now,
    doNotCall: false,
    stopped: null,
    agentArchived: false,
    mayDial: true,
    opening: now,
    tooOftenUntil: null,
    destinationFullUntil: () => null,
    maxCallSeconds: 60,
    unlimited: false,
    credits: 5_000_000,
    available: 5_000_000,
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
  };
  it('starts a call that every check allows', () => {
    expect(admit(base)).toEqual({ kind: 'start', capMs: 60_000, amount: 1_000_000 });
    expect(admit({ ...base, unlimited: true, credits: 0, available: 0 })).toEqual({
      kind: 'start',
      capMs: 60_000,
      amount: 0,
    });
  });
  it('checks do-not-call, agent, destination, window, frequency, destination limit and money, in this order', () => {
    const steps: [Partial<typeof base>, object][] = [
      [{ available: 0 }, { kind: 'defer', subStatus: 'INSUFFICIENT_BALANCE' }],
      [{ credits: 999_999 }, { kind: 'end', subStatus: 'INSUFFICIENT_BALANCE' }],
      [
        { destinationFullUntil: () => now + 7 },
        { kind: 'defer', subStatus: 'LIMIT_REACHED', until: now + 7 },
      ],
      [{ tooOftenUntil: now + 9 }, { kind: 'defer', subStatus: 'LIMIT_REACHED', until: now + 9 }],
      [{ opening: now + 5 }, { kind: 'defer', subStatus: 'WINDOW_CLOSED', until: now + 5 }],
      [{ mayDial: false }, { kind: 'end', subStatus: 'NOT_ABLE_TO_CALL' }],
      [
        { opening: null, mayDial: true },
        { kind: 'end', subStatus: 'NOT_ABLE_TO_CALL' },
      ],
      [{ agentArchived: true }, { kind: 'end', subStatus: 'USER_TERMINATED' }],
      [{ doNotCall: true }, { kind: 'end', subStatus: 'DND_SKIPPED' }],
    ];
    let input = base;
    for (const [more, expected] of steps) {
      input = { ...input, ...more };
      expect(admit(input)).toMatchObject(expected);
    }
  });
});
