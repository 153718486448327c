import { createSocket, type Socket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import type { Clock } from './clock.ts';

export interface PortRange {
  /** First even port. */
  first: number;
  /** Last port of the range, included. */
  last: number;
}

/** No port pair is free: each is in use or quarantined. */
export class PortsExhausted extends Error {
  override readonly name = 'PortsExhausted';
}

/** RTP on `port`, RTCP on `port + 1`. */
export interface PortPair {
  rtp: Socket;
  rtcp: Socket;
  port: number;
}

/** Quarantine of a released port, so that late packets of the old call do not reach a new one. */
const QUARANTINE_MS = 30_000;
const EPHEMERAL_TRIES = 50;

/** Parses `10000-20000`; null for other text or a range without one even and odd pair. */
export function parsePortRange(text: string): PortRange | null {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text.trim());
  if (!match) return null;
  const first = Number(match[1]) + (Number(match[1]) % 2);
  const last = Number(match[2]);
  return first > 0 && last <= 65535 && first + 1 <= last ? { first, last } : null;
}

const pairsOf = (range: PortRange): number => Math.floor((range.last - range.first + 1) / 2);

/** Splits a range by whole pairs into at most `most` ranges, one per worker; fewer if it has fewer pairs. */
export function splitPortRange(range: PortRange, most: number): PortRange[] {
  const pairs = pairsOf(range);
  const parts = Math.min(most, pairs);
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((pairs * part) / parts);
    const to = Math.floor((pairs * (part + 1)) / parts);
    return { first: range.first + from * 2, last: range.first + to * 2 - 1 };
  });
}

function bind(address: string, port: number): Promise<Socket> {
  const family = isIPv6(address) ? 6 : 4;
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // Destinations are always IP addresses: this skips the resolver's thread pool.
    // A dual-stack socket sends to IPv4 by the mapped address.
    lookup: (host, _options, callback) =>
      callback(null, family === 6 && isIPv4(host) ? `::ffff:${host}` : host, family),
  });
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      socket.close();
      reject(error);
    };
    socket.once('error', failed);
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}

/** Null for a port in use or without permission; other errors would affect every port and reject. */
async function bindUnlessTaken(address: string, port: number): Promise<Socket | null> {
  try {
    return await bind(address, port);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE' || code === 'EACCES') return null;
    throw error;
  }
}

/** Allocates pairs of bound sockets, even RTP and odd RTCP, from a range or from ephemeral ports. */
export class PortPool {
  readonly #clock: Clock;
  readonly #range: PortRange | null;
  readonly #used = new Set<number>();
  /** Port to the monotonic end of its quarantine, earliest first. */
  readonly #quarantined = new Map<number, number>();
  #next: number;

  constructor(options: { clock: Clock; range: PortRange | null; random?: () => number }) {
    this.#clock = options.clock;
    this.#range = options.range;
    const pairs = options.range ? pairsOf(options.range) : 1;
    this.#next = Math.floor((options.random ?? Math.random)() * pairs);
  }

  get inUse(): number {
    return this.#used.size;
  }

  /** Free pairs; unlimited for ephemeral ports. */
  get free(): number {
    if (this.#range === null) return Number.POSITIVE_INFINITY;
    this.#endQuarantines();
    return pairsOf(this.#range) - this.#used.size - this.#quarantined.size;
  }

  /** Binds the next free pair on a local address. Rejects with `PortsExhausted`, or the system's error for the address. */
  async open(address: string): Promise<PortPair> {
    const pair = this.#range ? await this.#fromRange(this.#range, address) : await this.#ephemeral(address);
    if (!pair) throw new PortsExhausted('no RTP port pair could be bound');
    return pair;
  }

  /** Quarantines the port of a closed pair. */
  release(port: number): void {
    if (this.#used.delete(port)) this.#quarantined.set(port, this.#clock.monotonic() + QUARANTINE_MS);
  }

  #isFree(port: number): boolean {
    return !this.#used.has(port) && !this.#quarantined.has(port);
  }

  #endQuarantines(): void {
    const now = this.#clock.monotonic();
    for (const [port, until] of this.#quarantined) {
      if (until > now) return;
      this.#quarantined.delete(port);
    }
  }

  async #fromRange(range: PortRange, address: string): Promise<PortPair | null> {
    this.#endQuarantines();
    const pairs = pairsOf(range);
    for (let tries = 0; tries < pairs; tries++) {
      const port = range.first + (this.#next % pairs) * 2;
      this.#next = (this.#next + 1) % pairs;
      if (!this.#isFree(port)) continue;
      const pair = await this.#bindPair(address, port);
      if (pair) return pair;
    }
    return null;
  }

  async #ephemeral(address: string): Promise<PortPair | null> {
    this.#endQuarantines();
    for (let tries = 0; tries < EPHEMERAL_TRIES; tries++) {
      const probe = await bind(address, 0);
      const found = probe.address().port;
      await closeSocket(probe);
      const port = found - (found % 2);
      if (!this.#isFree(port)) continue;
      const pair = await this.#bindPair(address, port);
      if (pair) return pair;
    }
    return null;
  }

  async #bindPair(address: string, port: number): Promise<PortPair | null> {
    // Marked as used before the first await, so that concurrent opens never try the same pair.
    this.#used.add(port);
    const pair = await bindBoth(address, port).catch((error: unknown) => {
      this.#used.delete(port);
      throw error;
    });
    // Another process holds the port: quarantined, so that `free` does not count it before the next try.
    if (!pair) this.release(port);
    return pair;
  }
}

async function bindBoth(address: string, port: number): Promise<PortPair | null> {
  const rtp = await bindUnlessTaken(address, port);
  if (!rtp) return null;
  const rtcp = await bindUnlessTaken(address, port + 1).catch(async (error: unknown) => {
    await closeSocket(rtp);
    throw error;
  });
  if (rtcp) return { rtp, rtcp, port };
  await closeSocket(rtp);
  return null;
}

export const closeSocket = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.close(() => resolve());
  });
