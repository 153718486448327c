import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Internal ranges that ipaddr.js classifies as public unicast. */
const ALSO_INNER: readonly [string, string][] = [
  ['168.63.129.16/32', "a cloud's virtual host"],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.88.99.0/24', '6to4 relays'],
  ['::/96', 'IPv4-compatible'],
  ['fec0::/10', 'site-local'],
  ['64:ff9b:1::/48', 'local NAT64'],
  ['2002::/16', '6to4'],
  ['2001::/32', 'Teredo'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['100::/64', 'discard'],
  ['100:0:0:1::/64', 'dummy prefix'],
];
const INNER = ALSO_INNER.map(([range]) => ipaddr.parseCIDR(range));

/** Internal hosts, addresses and ranges that SAFE_FETCH_ALLOW exempts from the check. */
export interface AllowList {
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly (readonly [Address, number])[];
}

/** Parses SAFE_FETCH_ALLOW. An entry that is neither an address nor a CIDR range is a host name. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const ranges: (readonly [Address, number])[] = [];
  for (const entry of entries.map((text) => text.trim().toLowerCase()).filter((text) => text !== '')) {
    const bare = entry.replace(/^\[|\]$/g, '');
    if (ipaddr.isValidCIDR(bare)) ranges.push(ipaddr.parseCIDR(bare));
    else if (ipaddr.isValid(bare)) {
      const address = ipaddr.process(bare);
      ranges.push([address, address.kind() === 'ipv4' ? 32 : 128]);
    } else hosts.add(entry.replace(/\.$/, ''));
  }
  return { hosts, ranges };
}

const within = (address: Address, range: readonly [Address, number]): boolean =>
  address.kind() === range[0].kind() && address.match(range[0], range[1]);

/**
 * Whether this address lies outside the public internet. An IPv4-mapped address is judged by its IPv4 address; NAT64
 * (64:ff9b::/96) and other translation prefixes are refused as a whole.
 */
function isInner(address: Address): boolean {
  if (address.range() !== 'unicast') return true;
  return INNER.some((range) => within(address, range));
}

/** Whether the allow list has this address, an IPv4 or IPv6 literal without brackets. */
export const isAllowedAddress = (text: string, allow: AllowList): boolean =>
  isIP(text) !== 0 && allow.ranges.some((range) => within(ipaddr.process(text), range));

/** Whether connecting to this address is allowed. `text` is an IPv4 or IPv6 literal without brackets. */
export function mayConnect(text: string, allow: AllowList): boolean {
  const [bare = ''] = text.split('%');
  // Canonical spellings only: other programs read 010.1 in different ways.
  if (isIP(bare) === 0) return false;
  // `process` turns ::ffff:a.b.c.d into a.b.c.d.
  const address = ipaddr.process(bare);
  return allow.ranges.some((range) => within(address, range)) || !isInner(address);
}

/** Whether the allow list contains this host name, whatever it resolves to. */
export const isAllowedHost = (host: string, allow: AllowList): boolean =>
  allow.hosts.has(host.toLowerCase().replace(/\.$/, ''));
