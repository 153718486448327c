import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { type AnnouncedCall, StreamTickets } from './stream-tickets.ts';

const call = (carrierCallId: string, trunkId = 'trunk'): AnnouncedCall => ({
  trunkId,
  kind: 'twilio',
  carrierCallId,
  from: '+14155550188',
  to: '+14155550100',
  displayName: null,
});

describe('tokens of announced calls', () => {
  it('work once, also when the webhook comes again', () => {
    const tickets = new StreamTickets(new ManualClock());
    const token = tickets.issue(call('CA1')) ?? '';
    expect(tickets.issue(call('CA1'))).toBe(token);
    expect(tickets.take(token)).toEqual(call('CA1'));
    expect(tickets.issue(call('CA1'))).toBe(token);
    expect([tickets.take(token), tickets.take('')]).toEqual([null, null]);
  });

  it('belong to one call of one trunk', () => {
    const tickets = new StreamTickets(new ManualClock());
    const tokens = [call('CA1'), call('CA2'), call('CA1', 'other')].map((one) => tickets.issue(one));
    expect(new Set(tokens).size).toBe(3);
  });

  it('expire after a minute and are forgotten after ten', () => {
    const clock = new ManualClock();
    const tickets = new StreamTickets(clock);
    const token = tickets.issue(call('CA1')) ?? '';
    clock.advance(60_001);
    expect(tickets.take(token)).toBeNull();
    clock.advance(600_000);
    expect(tickets.issue(call('CA1'))).not.toBe(token);
  });

  it('are limited in number', () => {
    const tickets = new StreamTickets(new ManualClock());
    for (let n = 0; n < 10_000; n += 1) tickets.issue(call(`CA${n}`));
    expect(tickets.issue(call('CA'))).toBeNull();
  });
});
