import { describe, expect, it } from 'vitest';
import {
  admit,
  admitRtcp,
  canonicalAddress,
  createLatch,
  signal,
  targetIsSignalled,
  targetOf,
} from './latch.ts';

const SIGNALLED = { address: '192.0.2.1', port: 4000 };
const TRANSLATED = { address: '203.0.113.5', port: 61_000 };
const STRANGER = { address: '198.51.100.66', port: 4000 };

function latched(source = TRANSLATED) {
  const latch = createLatch();
  signal(latch, SIGNALLED, 0);
  admit(latch, source.address, source.port, 100);
  return latch;
}

describe('latch', () => {
  it('sends to the SDP address first, then to the first source', () => {
    const latch = createLatch();
    expect(targetOf(latch)).toBeNull();
    signal(latch, SIGNALLED, 0);
    expect([targetOf(latch), targetIsSignalled(latch)]).toEqual([SIGNALLED, true]);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, 10)).toBe(true);
    expect([targetOf(latch), targetIsSignalled(latch)]).toEqual([TRANSLATED, false]);
  });

  it('refuses strangers, also one on another port of the same host', () => {
    const latch = latched();
    expect(admit(latch, STRANGER.address, STRANGER.port, 5000)).toBe(false);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port + 2, 5000)).toBe(false);
    expect(targetOf(latch)).toEqual(TRANSLATED);
  });

  it('lets the signalled address take it back from one that came first', () => {
    const latch = latched(STRANGER);
    expect(admit(latch, SIGNALLED.address, SIGNALLED.port, 200)).toBe(true);
    expect(targetOf(latch)).toEqual(SIGNALLED);
    expect(admit(latch, STRANGER.address, STRANGER.port, 220)).toBe(false);
  });

  it('moves once within a second of a re-INVITE that names another address', () => {
    const latch = latched();
    const moved = { address: '192.0.2.9', port: 5000 };
    signal(latch, moved, 10_000);
    expect(targetOf(latch)).toEqual(moved);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, 10_010)).toBe(true);
    expect(targetOf(latch)).toEqual(moved);
    expect(admit(latch, '203.0.113.77', 7777, 10_020)).toBe(true);
    expect(targetOf(latch)).toEqual({ address: '203.0.113.77', port: 7777 });
    expect(admit(latch, STRANGER.address, STRANGER.port, 10_030)).toBe(false);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, 10_040)).toBe(false);
  });

  it('does not move after that second', () => {
    const latch = latched();
    signal(latch, { address: '192.0.2.9', port: 5000 }, 10_000);
    expect(admit(latch, STRANGER.address, STRANGER.port, 11_000)).toBe(false);
    // Nobody came from elsewhere: the far side still sends from the old source, so that is where it listens.
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, 11_010)).toBe(true);
    expect(targetOf(latch)).toEqual(TRANSLATED);
  });

  it('at a re-INVITE with the same address moves only away from a silent source', () => {
    const latch = latched();
    admit(latch, TRANSLATED.address, TRANSLATED.port, 9990);
    signal(latch, SIGNALLED, 10_000);
    expect(targetOf(latch)).toEqual(TRANSLATED);
    expect(admit(latch, STRANGER.address, STRANGER.port, 10_020)).toBe(false);
    expect(admit(latch, '203.0.113.5', 61_999, 10_400)).toBe(true);
    expect(targetOf(latch)).toEqual({ address: '203.0.113.5', port: 61_999 });
  });

  it('sends nothing while held by 0.0.0.0 and comes back to the latched source', () => {
    const latch = latched();
    signal(latch, null, 5000);
    expect(targetOf(latch)).toBeNull();
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, 5010)).toBe(true);
    expect(targetOf(latch)).toBeNull();
    signal(latch, SIGNALLED, 9000);
    expect(targetOf(latch)).toEqual(TRANSLATED);
  });

  it('takes RTCP from the host of the audio only', () => {
    const latch = createLatch();
    expect(admitRtcp(latch, SIGNALLED.address)).toBe(false);
    signal(latch, SIGNALLED, 0);
    expect(admitRtcp(latch, SIGNALLED.address)).toBe(true);
    admit(latch, TRANSLATED.address, TRANSLATED.port, 1);
    expect(admitRtcp(latch, SIGNALLED.address)).toBe(false);
    expect(admitRtcp(latch, TRANSLATED.address)).toBe(true);
  });

  it('spells IPv6 as sockets do', () => {
    expect(canonicalAddress('2001:DB8:0:0::0001')).toBe('2001:db8::1');
    expect(canonicalAddress('192.0.2.1')).toBe('192.0.2.1');
  });
});
