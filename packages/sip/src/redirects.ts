import type { CallTrunk } from './call-context.ts';
import type { OutboundRequest } from './call.ts';
import { headerLines, type SipResponse } from './message.ts';
import { parseAddressList } from './parse-header.ts';
import { formatHostPort, parseUri, userOf } from './uri.ts';

/** Redirects that a call follows. */
const MAX_REDIRECTS = 3;
/** Contacts of one redirect that are read. */
const MAX_CONTACTS = 5;
/** 305 names a proxy and 380 another service: neither is followed. */
const FOLLOWED: ReadonlySet<number> = new Set([300, 301, 302]);

/** The redirects of one call (RFC 3261 section 8.1.3.4): only to targets that its user permits, each once. */
export class Redirects {
  readonly #trunk: Pick<CallTrunk, 'domain' | 'host' | 'owns'>;
  readonly #redirect: OutboundRequest['redirect'];
  readonly #tried: Set<string>;
  #followed = 0;
  constructor(
    trunk: Pick<CallTrunk, 'domain' | 'host' | 'owns'>,
    request: Pick<OutboundRequest, 'to' | 'redirect'>,
  ) {
    this.#trunk = trunk;
    this.#redirect = request.redirect;
    this.#tried = new Set([request.to]);
  }

  /** Targets of a response that were not tried yet, best first; empty: nothing to follow. */
  targets(response: SipResponse): readonly string[] {
    if (this.#redirect === undefined || !FOLLOWED.has(response.status) || this.#followed >= MAX_REDIRECTS)
      return [];
    const contacts = (parseAddressList(headerLines(response, 'contact')) ?? []).slice(0, MAX_CONTACTS);
    const weight = (q: string | null | undefined): number => {
      const value = Number(q ?? 1);
      return Number.isNaN(value) ? 0 : value;
    };
    const targets = contacts
      .toSorted((a, b) => weight(b.params.get('q')) - weight(a.params.get('q')))
      .map(({ uri }) => targetOf(uri, this.#trunk))
      .filter((target) => target !== null);
    return [...new Set(targets)].filter((target) => !this.#tried.has(target));
  }

  /** The first target that the user of the call permits; null: none. Never rejects. */
  async choose(targets: readonly string[]): Promise<string | null> {
    for (const target of targets) {
      this.#tried.add(target);
      if ((await this.#redirect?.(target)) !== true) continue;
      this.#followed++;
      return target;
    }
    return null;
  }
}

/** A number in E.164 form, or a SIP URI, whose host is the trunk's domain where `contact` names one of its addresses. */
export function targetOf(contact: string, trunk: Pick<CallTrunk, 'domain' | 'host' | 'owns'>): string | null {
  const uri = parseUri(contact);
  const user = userOf(uri);
  if (uri === null || user === '') return null;
  const isTrunk = uri.scheme === 'tel' || uri.host === trunk.host || trunk.owns(uri.host);
  if (isTrunk && /^\+[0-9]{1,15}$/.test(user)) return user;
  const host = uri.scheme === 'tel' || isTrunk ? trunk.domain : formatHostPort(uri.host, uri.port);
  const name = uri.scheme === 'tel' ? user : (uri.user ?? '');
  return `${uri.scheme === 'sips' ? 'sips' : 'sip'}:${name}@${host}`;
}
