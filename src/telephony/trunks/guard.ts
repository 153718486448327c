import { createDigestServer } from '../sip/digest-server.ts';
import { header, type SipRequest } from '../sip/message.ts';
import type { Origin } from '../sip/transport.ts';
import { parseUri, userOf } from '../sip/uri.ts';
import type { Judge, Judgement } from '../sip/user-agent.ts';
import { createRateLimit } from './rate-limit.ts';
import type { TrunkLine } from './trunk-line.ts';

/** User-Agent names that tools for scanning and password guessing go by. */
const SCANNER =
  /friendly-(?:scanner|request)|sipvicious|sip-?scan|sipcli|sundayddr|iwar|vaxsip|pplsip|eyebeam\.scan|smap/i;

const DROP: Judgement = { kind: 'drop' };

/**
 * Decides who may talk to us outside a dialog. A trunk's own addresses and its allowed sources may; an account
 * that proves its password by digest may. Anybody else gets silence, or 403 for a call.
 */
export function createGuard(options: { lines: () => Iterable<TrunkLine>; now: () => number }): Judge {
  const { lines, now } = options;
  const rate = createRateLimit({ perSecond: 5, burst: 20, maxSources: 4096, now });
  const digest = createDigestServer({ realm: 'callwright', now });

  const byDigest = (request: SipRequest): Judgement => {
    const accounts = [...lines()].filter(
      (line) => line.trunk.username !== null && line.trunk.password !== null,
    );
    const caller = userOf(parseUri(request.from.uri));
    const claimed =
      header(request, 'authorization') !== null || accounts.some((l) => l.trunk.username === caller);
    if (accounts.length === 0 || !claimed) return { kind: 'refuse', status: 403, headers: [] };
    const verdict = digest.verify(
      request,
      (username) => accounts.find((line) => line.trunk.username === username)?.trunk.password ?? null,
    );
    const line = verdict.ok ? accounts.find((item) => item.trunk.username === verdict.username) : undefined;
    if (line !== undefined) return { kind: 'trunk', trunk: line };
    const stale = !verdict.ok && verdict.stale;
    return {
      kind: 'refuse',
      status: 401,
      headers: (['SHA-256', 'MD5'] as const).map((algorithm) => ({
        name: 'www-authenticate',
        value: digest.challenge(stale, algorithm),
      })),
    };
  };

  return (request, origin) => {
    const line = lineOf(lines(), request, origin);
    if (line !== null) return { kind: 'trunk', trunk: line };
    if (!rate.take(origin.address)) return DROP;
    if (SCANNER.test(header(request, 'user-agent') ?? '')) return DROP;
    return request.method === 'INVITE' ? byDigest(request) : DROP;
  };
}

/** The trunk that a source belongs to; among several the one whose account or port the request names. */
function lineOf(lines: Iterable<TrunkLine>, request: SipRequest, origin: Origin): TrunkLine | null {
  const fitting = [...lines].filter((line) => line.owns(origin.address));
  if (fitting.length < 2) return fitting[0] ?? null;
  const called = userOf(parseUri(request.uri));
  const ours = fitting.find((line) => line.contactUser !== '' && line.contactUser === called);
  return ours ?? fitting.find((line) => line.ownsPort(origin.address, origin.port)) ?? fitting[0] ?? null;
}
