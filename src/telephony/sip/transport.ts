export type TransportName = 'udp' | 'tcp';

/** Where a message goes: an address and port on one transport. */
export interface Peer {
  readonly transport: TransportName;
  readonly address: string;
  readonly port: number;
}

/** Where a message came from. `connection` names the stream it came on; null on UDP. */
export interface Origin extends Peer {
  readonly connection: number | null;
}

/** The address that Via and Contact name, so that the far side can reach us. */
export interface LocalPoint {
  readonly address: string;
  readonly port: number;
}

/** A connection was made after the time in which the bytes might leave. */
export class TooLateError extends Error {}

/**
 * Every socket of the stack behind one door. `done` is told once whether the bytes were handed to the network.
 * `mayLeave` is asked where a connection had to be made first.
 */
export interface Transports {
  send(bytes: Buffer, to: Peer | Origin, done: (error: Error | null) => void, mayLeave?: () => boolean): void;
  localFor(peer: Peer): LocalPoint;
  /** True when `host` and `port` are ones that we put into Via and Contact. */
  isOurs(host: string, port: number | null): boolean;
}

export type OnMessage = (bytes: Buffer, origin: Origin) => void;

export const isReliable = (peer: Peer): boolean => peer.transport !== 'udp';

/** Default port of sip on UDP and TCP. */
export const SIP_PORT = 5060;

/** IPv4 in its plain form, also when the socket shows it as `::ffff:192.0.2.1`. */
export const plainAddress = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
