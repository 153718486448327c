import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SIP_PORT, type Peer, type TransportName } from './transport.ts';
import { parseUri } from './uri.ts';

/** Which transports may reach a target; `auto` is UDP, and TCP for requests too large for one datagram. */
export type TransportChoice = 'udp' | 'tcp' | 'auto';

/** A resolver: the targets of a SIP URI in the order in which to try them; empty when there are none. */
export type Resolve = (uri: string, choice: TransportChoice) => Promise<readonly Peer[]>;

const transportOf = (parameter: string | null | undefined, choice: TransportChoice): TransportName => {
  if (choice !== 'auto') return choice;
  return parameter?.toLowerCase() === 'tcp' ? 'tcp' : 'udp';
};

/** The target of a URI whose host is an address; null when a name has to be looked up or the URI is no SIP URI. */
export function literalPeer(uri: string, choice: TransportChoice): Peer | null {
  const parsed = parseUri(uri);
  if (parsed === null || parsed.scheme === 'tel' || isIP(parsed.host) === 0) return null;
  const transport = transportOf(parsed.params.get('transport'), choice);
  return { transport, address: parsed.host, port: parsed.port ?? SIP_PORT };
}

/** Resolves by the system's name service (A and AAAA). Order of SRV records would be worked out here (RFC 3263). */
export const resolveByName: Resolve = async (uri, choice) => {
  const literal = literalPeer(uri, choice);
  if (literal !== null) return [literal];
  const parsed = parseUri(uri);
  if (parsed === null || parsed.scheme === 'tel') return [];
  const transport = transportOf(parsed.params.get('transport'), choice);
  try {
    const found = await lookup(parsed.host, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => ({ transport, address, port: parsed.port ?? SIP_PORT }));
  } catch {
    return [];
  }
};
