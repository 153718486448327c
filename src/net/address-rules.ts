import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AddressPurpose } from '../shared/address-rules.ts';
import { splitEntry } from '../shared/allow-entry.ts';

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

/**
 * Why an address is not open to a purpose, as part of a sentence. It never names the address itself, which a host name
 * may have hidden.
 */
export const blockedDetail = (purpose: AddressPurpose): string =>
  `an inner address that SAFE_FETCH_ALLOW does not list for ${purpose}`;

type Range = readonly [address: Address, bits: number];

/** Internal hosts, addresses and ranges that SAFE_FETCH_ALLOW exempts from the check; `port` null: every port. */
export interface AllowList {
  readonly purpose: AddressPurpose;
  readonly hosts: readonly { readonly host: string; readonly port: number | null }[];
  readonly ranges: readonly { readonly range: Range; readonly port: number | null }[];
}

/** A host or IPv4 address, or an IPv6 address in brackets, with a port. */
const PORT = /^(\[[^\]]*\]|[^:]+):(\d{1,5})$/;

/**
 * The entries of SAFE_FETCH_ALLOW for one purpose: those that name it for all workspaces or for this one. An entry without
 * a purpose is one of `llm`. An entry that is neither an address nor a CIDR range is a host name.
 */
export function parseAllowList(
  entries: readonly string[],
  purpose: AddressPurpose,
  workspaceId: string | null = null,
): AllowList {
  const hosts: AllowList['hosts'][number][] = [];
  const ranges: AllowList['ranges'][number][] = [];
  for (const one of entries.map(splitEntry)) {
    if (one.purpose !== purpose || (one.workspaceId !== null && one.workspaceId !== workspaceId)) continue;
    const { entry } = one;
    if (entry === '') continue;
    const [, name = entry, digits] = PORT.exec(entry) ?? [];
    const port = digits === undefined ? null : Number(digits);
    const bare = name.replace(/^\[|\]$/g, '');
    if (ipaddr.isValidCIDR(bare)) ranges.push({ range: ipaddr.parseCIDR(bare), port });
    else if (ipaddr.isValid(bare)) {
      const address = ipaddr.process(bare);
      ranges.push({ range: [address, address.kind() === 'ipv4' ? 32 : 128], port });
    } else hosts.push({ host: name.replace(/\.$/, ''), port });
  }
  return { purpose, hosts, ranges };
}

/** The workspaces that have entries of their own for this purpose. */
export const workspacesOf = (entries: readonly string[], purpose: AddressPurpose): string[] => [
  ...new Set(
    entries.map(splitEntry).flatMap((one) => {
      return one.purpose === purpose && one.workspaceId !== null ? [one.workspaceId] : [];
    }),
  ),
];

/** The port that a URL connects to. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' || protocol === 'wss:' ? 443 : 80;
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

const isIn = (address: Address, { ranges }: AllowList, port: number | null): boolean =>
  ranges.some((entry) => within(address, entry.range) && (entry.port === null || entry.port === port));

/** Whether the allow list has this address, an IPv4 or IPv6 literal without brackets. `port` null: unknown. */
export const isAllowedAddress = (text: string, allow: AllowList, port: number | null = null): boolean =>
  isIP(text) !== 0 && isIn(ipaddr.process(text), allow, port);

/** Whether connecting to this address is allowed. `text` is an IPv4 or IPv6 literal without brackets; `port` null: unknown. */
export function mayConnect(text: string, allow: AllowList, port: number | null = null): boolean {
  const [bare = ''] = text.split('%');
  // Canonical spellings only: other programs read 010.1 in different ways.
  if (isIP(bare) === 0) return false;
  // `process` turns ::ffff:a.b.c.d into a.b.c.d.
  const address = ipaddr.process(bare);
  return isIn(address, allow, port) || !isInner(address);
}

/** Whether the allow list contains this host name, whatever it resolves to. `port` null: the caller has checked the port. */
export const isAllowedHost = (host: string, allow: AllowList, port: number | null = null): boolean => {
  const name = host.toLowerCase().replace(/\.$/, '');
  return allow.hosts.some(
    (entry) => entry.host === name && (port === null || entry.port === null || entry.port === port),
  );
};

/** Whether the allow list names this host, and none of its entries has this port. */
export const isOtherPort = (host: string, allow: AllowList, port: number): boolean =>
  isAllowedHost(host, allow) && !isAllowedHost(host, allow, port);
