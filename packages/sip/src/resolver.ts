import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SIP_PORT, type Peer, type TransportName } from './transport.ts';
import { parseUri } from './uri.ts';

/** Transport of a trunk; `auto` is UDP, with TCP for requests above the datagram limit. */
export type TransportChoice = 'udp' | 'tcp' | 'auto';

/** Resolves a SIP URI to peers in order of preference; empty when there are none. */
export type Resolve = (uri: string, choice: TransportChoice) => Promise<readonly Peer[]>;

const transportOf = (parameter: string | null | undefined, choice: TransportChoice): TransportName => {
  if (choice !== 'auto') return choice;
  return parameter?.toLowerCase() === 'tcp' ? 'tcp' : 'udp';
};

/** The peer of a URI with an IP address as host; null for a host name or another scheme. */
export function literalPeer(uri: string, choice: TransportChoice): Peer | null {
  const parsed = parseUri(uri);
  if (parsed === null || parsed.scheme !== 'sip' || isIP(parsed.host) === 0) return null;
  const transport = transportOf(parsed.params.get('transport'), choice);
  return { transport, address: parsed.host, port: parsed.port ?? SIP_PORT };
}

/** Resolves by the system's name service: A and AAAA records, no SRV (RFC 3263). `sips` needs TLS, which we lack. */
export const resolveByName: Resolve = async (uri, choice) => {
  const literal = literalPeer(uri, choice);
  if (literal !== null) return [literal];
  const parsed = parseUri(uri);
  if (parsed === null || parsed.scheme !== 'sip') return [];
  const transport = transportOf(parsed.params.get('transport'), choice);
  try {
    const found = await lookup(parsed.host, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => ({ transport, address, port: parsed.port ?? SIP_PORT }));
  } catch {
    return [];
  }
};
