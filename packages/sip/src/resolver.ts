import type { SrvRecord } from 'node:dns';
import { isIP } from 'node:net';
import { type NameService, systemNames } from './name-service.ts';
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

/** Services of NAPTR records (RFC 3263 section 4.1) that a trunk without a transport of its own may use. */
const SERVICES: Readonly<Record<string, TransportName>> = {
  'sip+d2u': 'udp',
  'sip+d2t': 'tcp',
  'sips+d2t': 'tls',
};
const SRV_PREFIX: Readonly<Record<TransportName, string>> = {
  udp: '_sip._udp.',
  tcp: '_sip._tcp.',
  tls: '_sips._tcp.',
};
/** Names with SRV records that are remembered. */
const MAX_SERVED = 1_024;

/** Targets of SRV records; null: there are none, so that the host itself is the target (RFC 3263 section 4.2). */
type Targets = { readonly transport: TransportName; readonly records: readonly SrvRecord[] } | null;

/** A resolver of SIP URIs over a name service (RFC 3263). */
export function createResolve(names: NameService): Resolve {
  /** Hosts that had SRV records: while the name service is in trouble, their plain addresses are no substitute. */
  const served = new Set<string>();

  const targetsAt = async (transport: TransportName, name: string): Promise<Targets> => {
    const records = await names.srv(name);
    return records.length === 0 ? null : { transport, records };
  };
  const byNaptr = async (host: string): Promise<Targets> => {
    const records = (await names.naptr(host))
      .filter(({ flags }) => flags.toLowerCase() === 's')
      .toSorted((a, b) => a.order - b.order || a.preference - b.preference);
    for (const { service, replacement } of records) {
      const transport = SERVICES[service.toLowerCase()];
      const targets = transport === undefined ? null : await targetsAt(transport, replacement);
      if (targets !== null) return targets;
    }
    return null;
  };
  const targetsOf = async (uri: SipUri, choice: TransportChoice): Promise<Targets> => {
    const { host } = uri;
    const isOpen = choice === 'auto' && uri.scheme === 'sip' && !uri.params.has('transport');
    if (!isOpen) {
      const transport = transportOf(uri, choice);
      return targetsAt(transport, `${SRV_PREFIX[transport]}${host}`);
    }
    // Asked together. A question whose answer is not needed may fail: some name services refuse those without records.
    const direct = (['udp', 'tcp'] as const).map((name) => targetsAt(name, `${SRV_PREFIX[name]}${host}`));
    for (const targets of direct) targets.catch(() => {});
    // A name service without NAPTR may have SRV.
    for (const targets of [byNaptr(host).catch(() => null), ...direct]) {
      const found = await targets;
      if (found !== null) return found;
    }
    return null;
  };

  return async (uri, choice) => {
    const literal = literalPeer(uri, choice);
    if (literal !== null) return [literal];
    const parsed = parseUri(uri);
    if (parsed === null || parsed.scheme === 'tel') return [];
    const plain = async (): Promise<readonly Peer[]> =>
      (await names.addresses(parsed.host)).map((address) => peerAt(parsed, choice, address));
    // A port names a host, and so does a name of one label, such as that of a container.
    if (parsed.port !== null || !parsed.host.includes('.')) return plain();
    const found = plain();
    const targets = await targetsOf(parsed, choice).catch((error: unknown) => {
      if (served.has(parsed.host)) throw error;
      return null;
    });
    if (targets === null) return found;
    if (served.size >= MAX_SERVED) served.clear();
    served.add(parsed.host);
    return peersAt(parsed.host, targets, names);
  };
}

async function peersAt(
  host: string,
  { transport, records }: NonNullable<Targets>,
  names: NameService,
): Promise<readonly Peer[]> {
  const found = await Promise.all(
    // The target `.` says that the domain has no such service (RFC 2782).
    records
      .filter(({ name }) => name !== '' && name !== '.')
      .map(async ({ name, port, priority, weight }) => {
        const addresses = await names.addresses(name);
        const share = { priority, weight: weight / Math.max(1, addresses.length) };
        return addresses.map((address): Peer => ({
          transport,
          address,
          port,
          share,
          // The certificate names the domain that was asked for, not the target (RFC 5922 section 4).
          ...(transport === 'tls' ? { domain: host } : {}),
        }));
      }),
  );
  return found.flat().toSorted((a, b) => (a.share?.priority ?? 0) - (b.share?.priority ?? 0));
}

/** Resolves by the system's name service. */
export const resolveByName: Resolve = createResolve(systemNames());
