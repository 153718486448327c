import ipaddr from 'ipaddr.js';
import type { TransportChoice } from '../sip/resolver.ts';
import { formatHostPort, parseUri } from '../sip/uri.ts';

/** A SIP trunk or PBX account as configured. */
export interface Trunk {
  readonly id: string;
  readonly name: string;
  /** `sip:host[:port]`. */
  readonly uri: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly register: boolean;
  readonly transport: TransportChoice;
  /** Addresses and CIDR ranges of inbound calls, besides the addresses of `uri`. */
  readonly allowedSources: readonly string[];
  /** Addresses and CIDR ranges of its media; empty or absent: any. */
  readonly mediaRanges?: readonly string[];
}

/** `host` or `host:port` of the trunk's URI; null when the URI is invalid. */
export function trunkDomain(trunk: Trunk): string | null {
  const uri = parseUri(trunk.uri);
  return uri === null || uri.scheme === 'tel' ? null : formatHostPort(uri.host, uri.port);
}

/** Matches an address against addresses and CIDR ranges; an invalid entry matches nothing. */
export function createSourceMatch(entries: readonly string[]): (address: string) => boolean {
  const ranges = entries.flatMap((entry) => {
    try {
      const text = entry.includes('/')
        ? entry
        : `${entry}/${ipaddr.process(entry).kind() === 'ipv4' ? 32 : 128}`;
      return [ipaddr.parseCIDR(text)];
    } catch {
      return [];
    }
  });
  return (address) => {
    // Checked for every message of every source: without ranges the address is not even parsed.
    if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  };
}
