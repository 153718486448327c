import { describe, expect, it } from 'vitest';
import { DIAL_PERMIT_MS, type GateDecision, type PermitLimits } from '../domain/calls/attempt/dial.ts';
import { ManualClock } from '../shared/clock.ts';
import { silentLog } from '../shared/log.ts';
import { DialPermit } from './outbound.ts';

const NO_LIMITS: PermitLimits = { inviteUntil: null, ringUntil: null };

/** A permit requested now; its gate takes `gateMs`, and the second request returns `next`. */
function permitOf(limits = NO_LIMITS, next: GateDecision | Error = { go: false, why: 'gone' }, gateMs = 0) {
  const clock = new ManualClock(1_000_000);
  let sent = 0;
  const journal = {
    callId: 'c',
    redial: async (): Promise<GateDecision> => {
      clock.advance(gateMs);
      if (next instanceof Error) throw next;
      return next;
    },
    sent: () => void (sent += 1),
  };
  const permit = new DialPermit(journal, limits, clock.monotonic(), { clock, log: silentLog });
  return { clock, permit, sent: () => sent };
}

describe('a dial permit', () => {
  it('expires after its lifetime, counted from the request', () => {
    const { clock, permit } = permitOf();
    clock.advance(DIAL_PERMIT_MS);
    expect(permit.isOpen()).toBe(true);
    clock.advance(1);
    expect(permit.isOpen()).toBe(false);
  });

  it('is used up by one INVITE', () => {
    const { permit, sent } = permitOf();
    permit.sent();
    expect([permit.isOpen(), sent()]).toEqual([false, 1]);
  });

  it('closes with the window or the campaign before its lifetime is over', () => {
    const { clock, permit } = permitOf({ inviteUntil: 1_000_010, ringUntil: 1_000_020 });
    clock.advance(9);
    expect([permit.isOpen(), permit.ringUntil]).toEqual([true, 1_000_020]);
    clock.advance(1);
    expect(permit.isOpen()).toBe(false);
  });

  it('is renewed by the gate, with new limits and a lifetime that includes the gate’s own time', async () => {
    const renewed = { go: true, at: 0, inviteUntil: null, ringUntil: 9 } as const;
    const { clock, permit } = permitOf(NO_LIMITS, renewed, DIAL_PERMIT_MS);
    permit.sent();
    expect(await permit.reopen()).toBe(true);
    expect([permit.isOpen(), permit.ringUntil]).toEqual([true, 9]);
    clock.advance(1);
    expect(permit.isOpen()).toBe(false);
  });

  it.each([{ go: false, why: 'campaign_stopped' } as const, new Error('the database is down')])(
    'is not renewed by %o',
    async (next) => {
      const { permit } = permitOf(NO_LIMITS, next);
      permit.sent();
      expect([await permit.reopen(), permit.isOpen()]).toEqual([false, false]);
    },
  );
});
