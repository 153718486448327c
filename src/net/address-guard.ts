import { isIP, type LookupFunction } from 'node:net';
import {
  isAllowedAddress,
  isAllowedHost,
  mayConnect,
  parseAllowList,
  type AllowList,
} from './address-rules.ts';
import { checkedLookup } from './checked-lookup.ts';
import type { Lookup } from './resolve-host.ts';

const ENCRYPTED = new Set(['https:', 'wss:']);
const PLAIN = new Set(['http:', 'ws:']);
const LONGEST_URL = 2048;

/**
 * The rules for connections that carry a workspace's key to an address of its choice (SSRF protection): encrypted, and
 * to a public address. Hosts and addresses of SAFE_FETCH_ALLOW may be inner and unencrypted.
 */
export class AddressGuard {
  readonly #allow: AllowList;
  /** For `net.connect` and `tls.connect`: resolves and checks the name once, and the connection goes there. */
  readonly lookup: LookupFunction;

  constructor(options: { readonly allow: readonly string[]; readonly lookup?: Lookup }) {
    this.#allow = parseAllowList(options.allow);
    this.lookup = checkedLookup(this.#allow, options.lookup);
  }

  /** Why a URL is refused before any connection, as the rule that a field must follow; null: it may be tried. */
  refusal(text: string): string | null {
    if (text.length > LONGEST_URL || !URL.canParse(text)) return 'must be an https URL';
    const { protocol, username, password, hostname } = new URL(text);
    if (!ENCRYPTED.has(protocol) && !PLAIN.has(protocol)) return 'must be an https URL';
    if (username !== '' || password !== '') return 'must not carry a user name or password';
    const host = hostname.replace(/^\[|\]$/g, '');
    const isListed = isAllowedHost(host, this.#allow) || isAllowedAddress(host, this.#allow);
    if (isListed) return null;
    if (isIP(host) !== 0 && !mayConnect(host, this.#allow)) return 'must not be an inner address';
    return PLAIN.has(protocol) ? 'must be an https URL: it carries a key' : null;
  }
}
