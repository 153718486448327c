import { isIP, type LookupFunction } from 'node:net';
import {
  isAllowedAddress,
  isAllowedHost,
  isOtherPort,
  mayConnect,
  parseAllowList,
  portOf,
  workspacesOf,
  type AllowList,
} from './address-rules.ts';
import {
  ADDRESS_PURPOSES,
  type AddressPurpose,
  type AddressRules,
  type AddressUse,
} from '../shared/address-rules.ts';
import { checkedLookup } from './checked-lookup.ts';
import type { Lookup } from './resolve-host.ts';

const ENCRYPTED = new Set(['https:', 'wss:']);
const PLAIN = new Set(['http:', 'ws:']);
const LONGEST_URL = 2048;

/** Names that every resolver gives to this machine (RFC 6761). */
const LOCAL_NAME = /^(?:.+\.)?localhost$/i;
/** The setting and the purpose are named, because only the operator can lift the rule. */
export const innerRuleFor = (purpose: AddressPurpose): string =>
  `must not be an inner address, unless the operator lists it in SAFE_FETCH_ALLOW for ${purpose}`;

/**
 * The rules for connections that carry a workspace's key to an address of its choice (SSRF protection): encrypted, and
 * to a public address. Hosts and addresses of SAFE_FETCH_ALLOW may be inner and unencrypted.
 */
export class AddressGuard implements AddressRules {
  readonly #allow: AllowList;
  /** By purpose, and by purpose and workspace for those that have entries of their own. */
  readonly #allowOf = new Map<string, AllowList>();
  /** For `net.connect` and `tls.connect`: resolves and checks the name once, and the connection goes there. */
  readonly lookup: LookupFunction;

  constructor(options: { readonly allow: readonly string[]; readonly lookup?: Lookup }) {
    this.#allow = parseAllowList(options.allow, 'llm');
    for (const purpose of ADDRESS_PURPOSES) {
      this.#allowOf.set(purpose, parseAllowList(options.allow, purpose));
      for (const id of workspacesOf(options.allow, purpose)) {
        this.#allowOf.set(`${purpose}@${id}`, parseAllowList(options.allow, purpose, id));
      }
    }
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
  innerRule(text: string, { purpose, workspaceId }: AddressUse): string | null {
    const allow = this.#allowOf.get(`${purpose}@${workspaceId}`) ?? this.#allowOf.get(purpose);
    return innerRuleOf(text, allow ?? parseAllowList([], purpose));
  }
}

function innerRuleOf(text: string, allow: AllowList): string | null {
  if (!URL.canParse(text)) return null;
  const host = hostOf(text);
  const port = portOf(new URL(text));
  if (isAllowedHost(host, allow, port)) return null;
  const rule = innerRuleFor(allow.purpose);
  if (isOtherPort(host, allow, port)) return rule;
  if (LOCAL_NAME.test(host)) return LOOPBACK.some((each) => mayConnect(each, allow, port)) ? null : rule;
  return isIP(host) !== 0 && !mayConnect(host, allow, port) ? rule : null;
}

const LOOPBACK = ['127.0.0.1', '::1'];
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
