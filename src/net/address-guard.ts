import { isIP, type LookupFunction } from 'node:net';
import {
  isAllowedAddress,
  isAllowedHost,
  isOtherPort,
  mayConnect,
  parseAllowList,
  portOf,
  type AllowList,
} from './address-rules.ts';
import type { AddressRules } from '../shared/address-rules.ts';
import { checkedLookup } from './checked-lookup.ts';
import type { Lookup } from './resolve-host.ts';

const ENCRYPTED = new Set(['https:', 'wss:']);
const PLAIN = new Set(['http:', 'ws:']);
const LONGEST_URL = 2048;

/** Names that every resolver gives to this machine (RFC 6761). */
const LOCAL_NAME = /^(?:.+\.)?localhost$/i;
/** The setting is named, because only the operator can lift the rule. */
export const INNER_RULE = 'must not be an inner address, unless the operator lists it in SAFE_FETCH_ALLOW';

/**
 * The rules for connections that carry a workspace's key to an address of its choice (SSRF protection): encrypted, and
 * to a public address. Hosts and addresses of SAFE_FETCH_ALLOW may be inner and unencrypted.
 */
export class AddressGuard implements AddressRules {
  readonly #allow: AllowList;
  /** For addresses that carry no key of a vendor: webhooks, tools and knowledge. */
  readonly #plainAllow: AllowList;
  /** For `net.connect` and `tls.connect`: resolves and checks the name once, and the connection goes there. */
  readonly lookup: LookupFunction;

  constructor(options: { readonly allow: readonly string[]; readonly lookup?: Lookup }) {
    this.#allow = parseAllowList(options.allow, ['llm']);
    this.#plainAllow = parseAllowList(options.allow, ['webhooks', 'knowledge', 'tools']);
    this.lookup = checkedLookup(this.#allow, options.lookup);
  }

  /** Why a URL is refused before any connection, as the rule that a field must follow; null: it may be tried. */
  refusal(text: string): string | null {
    if (text.length > LONGEST_URL || !URL.canParse(text)) return 'must be an https URL';
    const url = new URL(text);
    const { protocol, username, password } = url;
    if (!ENCRYPTED.has(protocol) && !PLAIN.has(protocol)) return 'must be an https URL';
    if (username !== '' || password !== '') return 'must not carry a user name or password';
    const host = hostOf(text);
    const port = portOf(url);
    if (isAllowedHost(host, this.#allow, port) || isAllowedAddress(host, this.#allow, port)) return null;
    return (
      innerRuleOf(text, this.#allow) ??
      (PLAIN.has(protocol) ? 'must be an https URL: it carries a key' : null)
    );
  }

  /**
   * Judges the host as written, without resolving it: an address, or a name of this machine. `localhost` is also allowed
   * when the addresses that it stands for are.
   */
  innerRule(text: string): string | null {
    return innerRuleOf(text, this.#plainAllow);
  }
}

function innerRuleOf(text: string, allow: AllowList): string | null {
  if (!URL.canParse(text)) return null;
  const host = hostOf(text);
  const port = portOf(new URL(text));
  if (isAllowedHost(host, allow, port)) return null;
  if (isOtherPort(host, allow, port)) return INNER_RULE;
  if (LOCAL_NAME.test(host))
    return LOOPBACK.some((each) => mayConnect(each, allow, port)) ? null : INNER_RULE;
  return isIP(host) !== 0 && !mayConnect(host, allow, port) ? INNER_RULE : null;
}

const LOOPBACK = ['127.0.0.1', '::1'];
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
