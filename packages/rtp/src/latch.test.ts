import { describe, expect, it } from 'vitest';
import {
  admit,
  admitRtcp,
  canonicalAddress,
  type Endpoint,
  type Latch,
  releaseSource,
  createLatch,
  signal,
  targetIsSignalled,
  targetOf,
} from './latch.ts';

const SIGNALLED = { address: '192.0.2.1', port: 4000 };
const TRANSLATED = { address: '203.0.113.5', port: 61_000 };
const STRANGER = { address: '198.51.100.66', port: 4000 };

const PACKET = { ssrc: 7, sequence: 1 };

/** A latch on a source at the address of the signalling. */
function latched(source = TRANSLATED) {
  const latch = createLatch();
  signal(latch, SIGNALLED, 0, source.address);
  admit(latch, source.address, source.port, PACKET, 100);
  return latch;
}

describe('latch', () => {
  it('sends to the SDP address, then to the first packet from the address of the signalling', () => {
    const latch = createLatch();
    expect(targetOf(latch)).toBeNull();
    signal(latch, SIGNALLED, 0, TRANSLATED.address);
    expect([targetOf(latch), targetIsSignalled(latch)]).toEqual([SIGNALLED, true]);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 10)).toBe(true);
    expect([targetOf(latch), targetIsSignalled(latch)]).toEqual([TRANSLATED, false]);
  });

  it('refuses other sources, including other ports of the same host', () => {
    const latch = latched();
    expect(admit(latch, STRANGER.address, STRANGER.port, PACKET, 5000)).toBe(false);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port + 2, PACKET, 5000)).toBe(false);
    expect(targetOf(latch)).toEqual(TRANSLATED);
  });

  it('returns to the signalled address from a source that sent first', () => {
    const latch = latched(STRANGER);
    expect(admit(latch, SIGNALLED.address, SIGNALLED.port, PACKET, 200)).toBe(true);
    expect(targetOf(latch)).toEqual(SIGNALLED);
    expect(admit(latch, STRANGER.address, STRANGER.port, PACKET, 220)).toBe(false);
  });

  it('moves once within a second after a re-INVITE with a new address', () => {
    const latch = latched();
    const moved = { address: '192.0.2.9', port: 5000 };
    signal(latch, moved, 10_000);
    expect(targetOf(latch)).toEqual(moved);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 10_010)).toBe(true);
    expect(targetOf(latch)).toEqual(moved);
    expect(admit(latch, moved.address, 7777, PACKET, 10_020)).toBe(true);
    expect(targetOf(latch)).toEqual({ address: moved.address, port: 7777 });
    expect(admit(latch, STRANGER.address, STRANGER.port, PACKET, 10_030)).toBe(false);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 10_040)).toBe(false);
  });

  it('gives a stranger no packet in the second after a re-INVITE, and the new party behind NAT its audio', () => {
    const latch = latched();
    const moved = { address: '203.0.113.6', port: 5000 };
    signal(latch, moved, 10_000);
    for (let n = 0; n < 20; n++) {
      const packet = { ssrc: 99, sequence: n };
      expect(admit(latch, STRANGER.address, STRANGER.port, packet, 10_001 + n * 20)).toBe(false);
    }
    // The real party sends from the signalled address and another port than it signalled.
    expect(admit(latch, moved.address, 6000, { ssrc: 5, sequence: 0 }, 10_500)).toBe(true);
    expect(targetOf(latch)).toEqual({ address: moved.address, port: 6000 });
  });

  it('gives the audio back to the signalled address after a stranger took it in the second after a re-INVITE', () => {
    const latch = latched();
    const moved = { address: '203.0.113.6', port: 5000 };
    signal(latch, moved, 10_000);
    expect(refusals(latch, STRANGER, 99, 10_001, 40)).toBe(24);
    expect(targetOf(latch)).toEqual(STRANGER);
    expect(admit(latch, moved.address, 6000, { ssrc: 5, sequence: 0 }, 10_700)).toBe(true);
    expect(admit(latch, STRANGER.address, STRANGER.port, { ssrc: 99, sequence: 60 }, 10_710)).toBe(false);
    expect(targetOf(latch)).toEqual({ address: moved.address, port: 6000 });
  });

  it('does not move later than a second after the re-INVITE', () => {
    const latch = latched();
    signal(latch, { address: '192.0.2.9', port: 5000 }, 10_000);
    expect(admit(latch, STRANGER.address, STRANGER.port, PACKET, 11_000)).toBe(false);
    // No other source appeared: the peer still sends from the old one, so it receives there.
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 11_010)).toBe(true);
    expect(targetOf(latch)).toEqual(TRANSLATED);
  });

  it('moves only away from a silent source after a re-INVITE with the same address', () => {
    const latch = latched();
    admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 9990);
    signal(latch, SIGNALLED, 10_000);
    expect(targetOf(latch)).toEqual(TRANSLATED);
    expect(admit(latch, STRANGER.address, STRANGER.port, PACKET, 10_020)).toBe(false);
    expect(admit(latch, '203.0.113.5', 61_999, PACKET, 10_400)).toBe(true);
    expect(targetOf(latch)).toEqual({ address: '203.0.113.5', port: 61_999 });
  });

  it('sends nothing while held by 0.0.0.0, then resumes to the latched source', () => {
    const latch = latched();
    signal(latch, null, 5000);
    expect(targetOf(latch)).toBeNull();
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 5010)).toBe(true);
    expect(targetOf(latch)).toBeNull();
    signal(latch, SIGNALLED, 9000);
    expect(targetOf(latch)).toEqual(TRANSLATED);
  });

  it('accepts RTCP only from the address of the audio', () => {
    const latch = createLatch();
    expect(admitRtcp(latch, SIGNALLED.address)).toBe(false);
    signal(latch, SIGNALLED, 0, TRANSLATED.address);
    expect(admitRtcp(latch, SIGNALLED.address)).toBe(true);
    admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 1);
    expect(admitRtcp(latch, SIGNALLED.address)).toBe(false);
    expect(admitRtcp(latch, TRANSLATED.address)).toBe(true);
  });

  /** Sends packets in sequence every 20 ms and returns how many were refused before the first admitted one. */
  function refusals(latch: Latch, source: Endpoint, ssrc: number, from: number, count = 20): number {
    for (let n = 0; n < count; n++) {
      const packet = { ssrc, sequence: (65_534 + n) & 0xffff };
      if (admit(latch, source.address, source.port, packet, from + n * 20)) return n;
    }
    return count;
  }
  const REBOUND = { address: TRANSLATED.address, port: 61_002 };

  it('follows a NAT rebinding: the same SSRC from another port after 400 ms of silence', () => {
    const latch = latched();
    expect(refusals(latch, REBOUND, PACKET.ssrc, 120, 10)).toBe(10);
    expect(refusals(latch, REBOUND, PACKET.ssrc, 500)).toBe(4);
    expect(targetOf(latch)).toEqual(REBOUND);
  });

  it('follows a media failover: another SSRC after five seconds of silence', () => {
    const latch = latched();
    expect(refusals(latch, STRANGER, 99, 600)).toBe(20);
    expect(refusals(latch, STRANGER, 99, 5100)).toBe(4);
    expect(targetOf(latch)).toEqual(STRANGER);
  });

  it('stays with a source that sends, and refuses packets out of sequence', () => {
    const latch = latched();
    for (let at = 100; at < 12_000; at += 20) {
      admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, at);
      expect(admit(latch, STRANGER.address, STRANGER.port, { ssrc: 7, sequence: at / 20 }, at)).toBe(false);
    }
    for (let n = 0; n < 50; n++) {
      const packet = { ssrc: 7, sequence: n * 2 };
      expect(admit(latch, STRANGER.address, STRANGER.port, packet, 20_000 + n)).toBe(false);
    }
  });

  it('accepts a new party that begins up to ten seconds after the re-INVITE', () => {
    const latch = latched();
    signal(latch, { address: '10.0.0.9', port: 5000 }, 10_000);
    admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 10_500);
    expect(refusals(latch, REBOUND, 99, 16_000)).toBe(4);
  });

  it('lets another source take over at once after the latched one left', () => {
    const latch = latched();
    releaseSource(latch);
    expect(refusals(latch, REBOUND, 99, 120)).toBe(4);
  });

  it('latches on any other first source after half a second of packets in sequence', () => {
    const latch = createLatch();
    signal(latch, SIGNALLED, 0, TRANSLATED.address);
    expect(refusals(latch, STRANGER, 99, 0, 40)).toBe(24);
    expect(targetOf(latch)).toEqual(STRANGER);
  });

  it('prefers the address of the signalling to a sprayer, before and after the latch', () => {
    const latch = createLatch();
    signal(latch, SIGNALLED, 0, TRANSLATED.address);
    expect(refusals(latch, STRANGER, 99, 0, 20)).toBe(20);
    expect(admit(latch, TRANSLATED.address, TRANSLATED.port, PACKET, 500)).toBe(true);
    expect(refusals(latch, STRANGER, 99, 520, 40)).toBe(40);
    const sprayed = createLatch();
    signal(sprayed, SIGNALLED, 0, TRANSLATED.address);
    refusals(sprayed, STRANGER, 99, 0, 40);
    expect(admit(sprayed, TRANSLATED.address, TRANSLATED.port, PACKET, 1000)).toBe(true);
    expect(targetOf(sprayed)).toEqual(TRANSLATED);
  });

  it('canonicalizes IPv6 addresses', () => {
    expect(canonicalAddress('2001:DB8:0:0::0001')).toBe('2001:db8::1');
    expect(canonicalAddress('192.0.2.1')).toBe('192.0.2.1');
  });
});
