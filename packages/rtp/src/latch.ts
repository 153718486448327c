import { SocketAddress } from 'node:net';

/**
 * Symmetric RTP: a leg sends to the address in the SDP, then latches on the source of valid packets: at once when it is
 * at the signalled or the signalling address, else after half a second of packets in sequence. A re-INVITE allows one
 * move by the same rules within a second. Otherwise another source takes over only after the latched one fell silent,
 * with several packets in sequence: a NAT rebinding or a media failover. Pure.
 */
export interface Endpoint {
  address: string;
  port: number;
}

interface Candidate extends Endpoint {
  ssrc: number;
  sequence: number;
  /** Packets in sequence so far. */
  run: number;
}

export interface Latch {
  /** The last address in the peer's SDP. */
  signalled: Endpoint | null;
  /** True while the peer's SDP address is 0.0.0.0 (hold). */
  held: boolean;
  /** The latched source. */
  source: Endpoint | null;
  /** Address of the signalling; trusted like the signalled address, with any port. */
  signallingAddress: string | null;
  target: Endpoint | null;
  /** After a re-INVITE one move to another source is allowed until this time (epoch ms). */
  movableUntil: number;
  /** True when the re-INVITE changed the address: the move does not wait for silence of the old source. */
  movedBySdp: boolean;
  sourceHeardAt: number;
  /** True while nothing but its own packets vouches for the address of the source. */
  learned: boolean;
  /** SSRC of the latched source. */
  ssrc: number;
  /** The refused source that sent last. */
  candidate: Candidate | null;
  /** Time of the last re-INVITE with a new address (epoch ms). */
  movedAt: number;
}

export const createLatch = (): Latch => ({
  signalled: null,
  held: false,
  source: null,
  signallingAddress: null,
  target: null,
  movableUntil: 0,
  movedBySdp: false,
  sourceHeardAt: 0,
  learned: false,
  ssrc: 0,
  candidate: null,
  movedAt: Number.NEGATIVE_INFINITY,
});

const MOVABLE_MS = 1000;
/** With an unchanged SDP address, a move requires that the old source was silent for this time. */
const SILENT_MS = 200;
/** A re-INVITE with a new address may precede the media of the new party by this time. */
const LATE_PARTY_MS = 10_000;
/**
 * Silence of the latched source after which another one may take over: with its SSRC (rebinding: the audio is back within
 * half a second), or with any.
 */
const REBOUND_MS = 400;
const REPLACED_MS = 5_000;
/** Packets in sequence with which another source takes over. */
const TAKEOVER_PACKETS = 5;
/**
 * Packets in sequence that latch a source at neither the signalled nor the signalling address, as the first one or
 * within ten seconds of a re-INVITE with a new address.
 */
const LEARNING_PACKETS = 25;

/** Plain IPv4 for the mapped address that a dual-stack socket reports. */
export const sourceAddress = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;

/** Spells an address as sockets do, so that both compare as text. */
export const canonicalAddress = (address: string): string =>
  address.includes(':') ? new SocketAddress({ address, family: 'ipv6' }).address : address;

const same = (a: Endpoint | null, address: string, port: number): boolean =>
  a !== null && a.port === port && a.address === address;

/** Applies the address of a new SDP; `endpoint` is canonical, null for a hold by 0.0.0.0. */
export function signal(
  latch: Latch,
  endpoint: Endpoint | null,
  at: number,
  signallingAddress: string | null = latch.signallingAddress,
): void {
  latch.signallingAddress = signallingAddress;
  latch.held = endpoint === null;
  if (endpoint === null) return;
  const unchanged = same(latch.signalled, endpoint.address, endpoint.port);
  latch.signalled = endpoint;
  if (!unchanged) latch.target = endpoint;
  if (latch.source === null) return;
  latch.movableUntil = at + MOVABLE_MS;
  latch.movedBySdp = !unchanged;
  if (!unchanged) latch.movedAt = at;
}

/** The fields of a packet that identify its stream. */
export interface StreamPosition {
  ssrc: number;
  sequence: number;
}

/** Decides on a valid packet: true for the latched source or an allowed move, false for any other source. */
export function admit(
  latch: Latch,
  address: string,
  port: number,
  packet: StreamPosition,
  at: number,
): boolean {
  if (same(latch.source, address, port)) {
    latch.sourceHeardAt = at;
    latch.ssrc = packet.ssrc;
    // The peer announced another address but still sends from this one: symmetric RTP wins.
    if (at >= latch.movableUntil) latch.target = latch.source;
    return true;
  }
  const mayMove = at < latch.movableUntil && (latch.movedBySdp || at - latch.sourceHeardAt >= SILENT_MS);
  // The signalled address always regains the latch from an attacker that guessed our port and sent first.
  const isTrusted = isTrustedHost(latch, address);
  const isEntitled =
    (isTrusted && (latch.source === null || latch.learned || mayMove)) ||
    same(latch.signalled, address, port);
  const isOpen = latch.source === null || mayMove;
  const needsProof = isOpen || (!isTrusted && at - latch.movedAt < LATE_PARTY_MS);
  const run = runOf(latch, address, port, packet);
  if (!isEntitled) {
    if (run < (needsProof ? LEARNING_PACKETS : TAKEOVER_PACKETS)) return false;
    if (!isOpen && !isSilent(latch, packet.ssrc, at)) return false;
  }
  latch.learned = !isTrusted;
  latch.source = { address, port };
  latch.target = latch.source;
  latch.movableUntil = 0;
  latch.sourceHeardAt = at;
  latch.ssrc = packet.ssrc;
  latch.candidate = null;
  return true;
}

const isTrustedHost = (latch: Latch, address: string): boolean =>
  address === latch.signalled?.address || address === latch.signallingAddress;

/** Packets in sequence that the refused source has sent, with this one. */
function runOf(latch: Latch, address: string, port: number, { ssrc, sequence }: StreamPosition): number {
  const { candidate } = latch;
  const continues =
    candidate !== null &&
    same(candidate, address, port) &&
    candidate.ssrc === ssrc &&
    ((candidate.sequence + 1) & 0xffff) === sequence;
  const run = continues ? candidate.run + 1 : 1;
  latch.candidate = { address, port, ssrc, sequence, run };
  return run;
}

/** True when the latched source has been silent for long enough that a stream with this SSRC may replace it. */
function isSilent(latch: Latch, ssrc: number, at: number): boolean {
  const isLateParty = at - latch.movedAt < LATE_PARTY_MS;
  const needed = isLateParty ? SILENT_MS : ssrc === latch.ssrc ? REBOUND_MS : REPLACED_MS;
  return at - latch.sourceHeardAt >= needed;
}

/** The latched source left (RTCP BYE): another one may take over without waiting for silence. */
export function releaseSource(latch: Latch): void {
  latch.sourceHeardAt = Number.NEGATIVE_INFINITY;
}

/** Accepts RTCP by address only: a NAT often maps its port apart from the RTP port. */
export const admitRtcp = (latch: Latch, address: string): boolean =>
  (latch.source ?? latch.signalled)?.address === address;

/** Current destination; null while unknown or held. */
export const targetOf = (latch: Latch): Endpoint | null => (latch.held ? null : latch.target);

/** True when the destination is the signalled address. */
export const targetIsSignalled = (latch: Latch): boolean =>
  latch.target !== null && same(latch.signalled, latch.target.address, latch.target.port);
