import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SIP_PORT, SIPS_PORT, type Peer, type TransportName } from './transport.ts';
import { parseUri, type SipUri } from './uri.ts';

/** Transport of a trunk; `auto` is UDP, with TCP for requests above the datagram limit. */
export type TransportChoice = 'udp' | 'tcp' | 'tls' | 'auto';

/** Resolves a SIP URI to peers in order of preference; empty when there are none. */
export type Resolve = (uri: string, choice: TransportChoice) => Promise<readonly Peer[]>;

/** `sips` leads to TLS, whatever the choice. */
function transportOf({ scheme, params }: SipUri, choice: TransportChoice): TransportName {
  if (scheme === 'sips') return 'tls';
  if (choice !== 'auto') return choice;
  const parameter = params.get('transport')?.toLowerCase();
  return parameter === 'tcp' || parameter === 'tls' ? parameter : 'udp';
}

/** The peer at an address of the URI's host; over TLS its certificate must name that host. */
function peerAt(uri: SipUri, choice: TransportChoice, address: string): Peer {
  const transport = transportOf(uri, choice);
  if (transport === 'tls') return { transport, address, port: uri.port ?? SIPS_PORT, domain: uri.host };
  return { transport, address, port: uri.port ?? SIP_PORT };
}

/** The peer of a URI with an IP address as host; null for a host name or another scheme. */
export function literalPeer(uri: string, choice: TransportChoice): Peer | null {
  const parsed = parseUri(uri);
  if (parsed === null || parsed.scheme === 'tel' || isIP(parsed.host) === 0) return null;
  return peerAt(parsed, choice, parsed.host);
}

/** Resolves by the system's name service: A and AAAA records, no SRV (RFC 3263). */
export const resolveByName: Resolve = async (uri, choice) => {
  const literal = literalPeer(uri, choice);
  if (literal !== null) return [literal];
  const parsed = parseUri(uri);
  if (parsed === null || parsed.scheme === 'tel') return [];
  try {
    const found = await lookup(parsed.host, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => peerAt(parsed, choice, address));
  } catch {
    return [];
  }
};
