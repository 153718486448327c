import { isIPv6 } from 'node:net';
import {
  type Judgement,
  type Origin,
  type SipRequest,
  type SourceGuard,
  createDigestServer,
  formatHostPort,
  header,
  parseUri,
  userOf,
} from '@callwright/sip';
import { addressBlock } from '../../shared/ingress/address-block.ts';
import { Entrance, type EntranceName } from '../../shared/ingress/entrance.ts';
import { createBans, OFFENCES, type Bans } from './bans.ts';
import { namesLine } from './binding.ts';
import { hasSecret } from './inbound-secret.ts';
import type { TrunkLine } from './trunk-line.ts';

/** User-Agent values of scanners and password guessing tools. */
const SCANNER =
  /friendly-(?:scanner|request)|sipvicious|sip-?scan|sipcli|sundayddr|iwar|vaxsip|pplsip|eyebeam\.scan|smap/i;

/** An IPv4 address in the notation of an IPv6 socket. */
const MAPPED = /^::ffff:/i;
const DROP: Judgement = { kind: 'drop' };

/** Messages per second that are parsed of one unproven source, and of all of them together (spoofed sources). */
const PARSED = { perSecond: 20, burst: 100 };
const PARSED_IN_ALL = { perSecond: 500, burst: 1_000 };
/** Largest message of an unproven source: an INVITE with SDP needs half of it. */
const MAX_UNPROVEN_BYTES = 8_192;
/** Error responses per second to one unproven source. */
const REFUSED = { perSecond: 5, burst: 20 };
/** INFO requests of one call, each a key: a person presses at most ten a second, and a card number may come at once. */
const INFO = { key: { messages: { burst: 40, perSecond: 10 } } };
const MAX_SOURCES = 4_096;
const PROVEN_MS = 600_000;

/** The guard, with the decision on a source address for the TCP listener. */
export interface Guard extends SourceGuard {
  /** True for the addresses of trunks and for proven sources. */
  isTrusted(address: string): boolean;
  /** Sources that are banned, so far and now. */
  readonly bans: Bans['counts'];
}

/**
 * Trusts the addresses and allowed sources of trunks, and for ten minutes each source that proved itself: by digest
 * credentials of a trunk account, or by a message that matched a dialog or transaction. Limits the rate at which
 * messages of all other sources are parsed and answered; of their requests outside a dialog it challenges INVITE and
 * drops the rest. Bans a source that goes on without proving itself.
 */
export function createGuard(options: {
  lines: () => Iterable<TrunkLine>;
  now: () => number;
  onRefused?: ((entrance: EntranceName) => void) | undefined;
}): Guard {
  const { lines, now, onRefused } = options;
  const parsed = createRateLimit({ ...PARSED, maxSources: MAX_SOURCES, now });
  const parsedInAll = createRateLimit({ ...PARSED_IN_ALL, maxSources: 1, now });
  const refused = createRateLimit({ ...REFUSED, maxSources: MAX_SOURCES, now });
  const infos = new Entrance('sip_info', INFO, { clock: { monotonic: now }, onRefused });
  const bans = createBans(now);
  const digest = createDigestServer({ realm: 'callwright', now });
  /** Proven source to the end of its trust, least recently proven first. */
  const proven = new Map<string, number>();

  const isTrusted = (address: string): boolean => {
    if ((proven.get(address) ?? 0) > now()) return true;
    for (const line of lines()) if (line.owns(address)) return true;
    return false;
  };
  const prove = (address: string): void => {
    proven.delete(address);
    const [oldest] = proven.keys();
    if (proven.size >= MAX_SOURCES && oldest !== undefined) proven.delete(oldest);
    proven.set(address, now() + PROVEN_MS);
    bans.forget(sourceOf(address));
  };

  const byDigest = (request: SipRequest, origin: Origin): Judgement => {
    const accounts = [...lines()].filter(
      (line) => line.trunk.username !== null && line.trunk.password !== null && mayCome(line, origin),
    );
    // Unknown accounts get the same challenge as known ones, so that the response reveals no account name.
    if (accounts.length === 0) return { kind: 'refuse', status: 403, headers: [] };
    const verdict = digest.verify(
      request,
      (username) => accounts.find((line) => line.trunk.username === username)?.trunk.password ?? null,
    );
    const line = verdict.ok ? accounts.find((item) => item.trunk.username === verdict.username) : undefined;
    if (line !== undefined) return { kind: 'trunk', trunk: line };
    const stale = !verdict.ok && verdict.stale;
    const hasCredentials = header(request, 'authorization') !== null;
    if (hasCredentials && !stale) bans.note(sourceOf(origin.address), OFFENCES.credentials);
    return {
      kind: 'refuse',
      status: 401,
      headers: (['SHA-256', 'MD5'] as const).map((algorithm) => ({
        name: 'www-authenticate',
        value: digest.challenge(stale, algorithm),
      })),
    };
  };

  return {
    isTrusted,
    get bans() {
      return bans.counts;
    },
    admits({ address }, bytes) {
      if (isTrusted(address)) return true;
      if (bytes > MAX_UNPROVEN_BYTES) return false;
      const source = sourceOf(address);
      return !bans.isBanned(source) && parsed.take(source) && parsedInAll.take('');
    },
    mayRefuse: ({ address }) => isTrusted(address) || refused.take(sourceOf(address)),
    takesInfo: (callId) => infos.admit({ key: callId }) === 0,
    prove: ({ address }) => prove(address),
    judge(request, origin) {
      const fitting = linesOf(lines(), request, origin);
      const [line, ...others] =
        request.method === 'INVITE'
          ? fitting.filter(({ trunk }) => hasSecret(trunk.inboundSecret, request))
          : fitting;
      if (line === undefined && fitting.length > 0) return { kind: 'refuse', status: 403, headers: [] };
      if (line !== undefined) return { kind: 'trunk', trunk: line, alternatives: others.map(({ id }) => id) };
      const isScanner = SCANNER.test(header(request, 'user-agent') ?? '');
      const source = sourceOf(origin.address);
      bans.note(source, isScanner ? OFFENCES.scanner : OFFENCES.request);
      if (!refused.take(source) || isScanner) return DROP;
      const judgement = request.method === 'INVITE' ? byDigest(request, origin) : DROP;
      if (judgement.kind === 'trunk') prove(origin.address);
      return judgement;
    },
  };
}

/** What is limited and banned as one: an IPv4 address, or the /64 that one customer of an IPv6 network has. */
const sourceOf = (address: string): string =>
  address.includes(':') && isIPv6(address) && !MAPPED.test(address) ? addressBlock(address) : address;

/** Nothing in clear belongs to a trunk with TLS: its source could be forged. */
const mayCome = ({ transport }: TrunkLine, origin: Origin): boolean =>
  transport !== 'tls' || origin.transport === 'tls';

/**
 * The trunks of a source address: the one first whose registered Contact is called. Where an account is called, only trunks of that
 * user. A called number may be on any trunk: the one with the source port comes next, then that of the From domain, because
 * carriers behind one proxy send their own.
 */
function linesOf(lines: Iterable<TrunkLine>, request: SipRequest, origin: Origin): readonly TrunkLine[] {
  const fitting = [...lines].filter((line) => line.owns(origin.address) && mayCome(line, origin));
  if (fitting.length < 2) return fitting;
  const uri = parseUri(request.uri);
  const called = userOf(uri);
  const accounts = fitting.filter((line) => line.contactUser !== '' && line.contactUser === called);
  const from = parseUri(request.from.uri);
  // A carrier on another port than 5060 sends its host alone (RFC 3261 table 1), or with the port.
  const host = from === null || from.scheme === 'tel' ? null : formatHostPort(from.host, null);
  const domain = from === null || from.scheme === 'tel' ? null : formatHostPort(from.host, from.port);
  const rank = (line: TrunkLine): number => {
    if (namesLine(uri, line.contactLine)) return 0;
    if (line.ownsPort(origin.address, origin.port)) return 1;
    return line.domain === domain ? 2 : line.host === host ? 3 : 4;
  };
  return (accounts.length > 0 ? accounts : fitting).toSorted((a, b) => rank(a) - rank(b));
}

export interface RateLimit {
  /** Takes one token; false when the bucket of `source` is empty. */
  take(source: string): boolean;
}

/** A token bucket per source for at most `maxSources` sources; evicts the least recently used. */
export function createRateLimit(options: {
  perSecond: number;
  burst: number;
  maxSources: number;
  now: () => number;
}): RateLimit {
  const { perSecond, burst, maxSources, now } = options;
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(source) {
      const at = now();
      const bucket = buckets.get(source) ?? { tokens: burst, at };
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * perSecond);
      buckets.delete(source);
      if (buckets.size >= maxSources) {
        const oldest = buckets.keys().next().value;
        if (oldest !== undefined) buckets.delete(oldest);
      }
      buckets.set(source, { tokens: tokens >= 1 ? tokens - 1 : tokens, at });
      return tokens >= 1;
    },
  };
}
