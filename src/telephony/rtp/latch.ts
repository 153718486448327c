import { SocketAddress } from 'node:net';

/**
 * Whose packets a leg takes and where it sends: the SDP's address until the first valid packet, then that packet's
 * source (symmetric RTP). A stranger never moves the latch; only a re-INVITE opens it for a second. Pure.
 */
export interface Endpoint {
  address: string;
  port: number;
}

export interface Latch {
  /** The last address the far side named in SDP. */
  signalled: Endpoint | null;
  /** The far side takes no media for now (0.0.0.0). */
  held: boolean;
  /** Whose packets are taken. */
  source: Endpoint | null;
  target: Endpoint | null;
  /** After a re-INVITE one move to another source is allowed until then (epoch ms). */
  movableUntil: number;
  /** The re-INVITE named a new address: the move needs no silence of the old source. */
  movedBySdp: boolean;
  sourceHeardAt: number;
}

export const createLatch = (): Latch => ({
  signalled: null,
  held: false,
  source: null,
  target: null,
  movableUntil: 0,
  movedBySdp: false,
  sourceHeardAt: 0,
});

const MOVABLE_MS = 1000;
/** With an unchanged SDP the old source must have been silent this long before another may take its place. */
const SILENT_MS = 200;

/** The spelling the socket uses for an address, so that both compare as text. */
export const canonicalAddress = (address: string): string =>
  address.includes(':') ? new SocketAddress({ address, family: 'ipv6' }).address : address;

const same = (a: Endpoint | null, address: string, port: number): boolean =>
  a !== null && a.port === port && a.address === address;

/** New SDP at `at`; `endpoint` is canonical, null for a hold by 0.0.0.0. */
export function signal(latch: Latch, endpoint: Endpoint | null, at: number): void {
  latch.held = endpoint === null;
  if (endpoint === null) return;
  const unchanged = same(latch.signalled, endpoint.address, endpoint.port);
  latch.signalled = endpoint;
  if (!unchanged) latch.target = endpoint;
  if (latch.source === null) return;
  latch.movableUntil = at + MOVABLE_MS;
  latch.movedBySdp = !unchanged;
}

/** A valid media packet from this source: true when it is to be taken, false for a stranger. */
export function admit(latch: Latch, address: string, port: number, at: number): boolean {
  if (same(latch.source, address, port)) {
    latch.sourceHeardAt = at;
    // The far side named another address but goes on sending from here: symmetric RTP wins.
    if (at >= latch.movableUntil) latch.target = latch.source;
    return true;
  }
  const mayMove = at < latch.movableUntil && (latch.movedBySdp || at - latch.sourceHeardAt >= SILENT_MS);
  // The named address itself may always take the latch from a source that came first by guessing the port.
  if (latch.source !== null && !mayMove && !same(latch.signalled, address, port)) return false;
  latch.source = { address, port };
  latch.target = latch.source;
  latch.movableUntil = 0;
  latch.sourceHeardAt = at;
  return true;
}

/** Whether RTCP from this address belongs to the call: its port is often translated apart from RTP's. */
export const admitRtcp = (latch: Latch, address: string): boolean =>
  (latch.source ?? latch.signalled)?.address === address;

/** Where to send now; null while unknown or held. */
export const targetOf = (latch: Latch): Endpoint | null => (latch.held ? null : latch.target);

/** Whether we send to the very address that SDP named. */
export const targetIsSignalled = (latch: Latch): boolean =>
  latch.target !== null && same(latch.signalled, latch.target.address, latch.target.port);
