export type TransportName = 'udp' | 'tcp' | 'tls';

/** Destination of a message. */
export interface Peer {
  readonly transport: TransportName;
  readonly address: string;
  readonly port: number;
  /** TLS: the domain that the certificate must name; absent: the address. */
  readonly domain?: string;
  /** Time limit of a new TCP connection, in ms. Absent: five seconds. */
  readonly connectMs?: number;
  /** Of its SRV record: lower priorities first, and by weight within one (RFC 2782). Absent: it has none. */
  readonly share?: { readonly priority: number; readonly weight: number };
}

/** Source of a message. `connection` is the id of its TCP or TLS connection; null on UDP. */
export interface Origin extends Peer {
  readonly connection: number | null;
}

/** Our address as announced in Via and Contact. */
export interface LocalPoint {
  readonly address: string;
  readonly port: number;
  /** Nobody listens there: requests of the peer reach us on the connection that we made alone. */
  readonly isFlowOnly?: boolean;
}

/** The connection was established after the dial permit had expired. */
export class TooLateError extends Error {}

/**
 * All sockets of the stack. `done` is called once: null when the network took the bytes. `mayLeave` is checked
 * after a new connection was established, before anything is written to it.
 */
export interface Transports {
  send(bytes: Buffer, to: Peer | Origin, done: (error: Error | null) => void, mayLeave?: () => boolean): void;
  localFor(peer: Peer): LocalPoint;
  /** True for a host and port that we announce in Via and Contact. */
  isOurs(host: string, port: number | null): boolean;
}

export type OnMessage = (bytes: Buffer, origin: Origin) => void;

export const isReliable = (peer: Peer): boolean => peer.transport !== 'udp';

/** For every message: a check of the whole notation costs more. Addresses alone reach it. */
export const isV6 = (address: string): boolean => address.includes(':');

/** Default SIP port on UDP and TCP. */
export const SIP_PORT = 5060;

/** Default SIP port on TLS. */
export const SIPS_PORT = 5061;

/** Plain IPv4 for an IPv4-mapped address such as `::ffff:192.0.2.1`. */
export const plainAddress = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
