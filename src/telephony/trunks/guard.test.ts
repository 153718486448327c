import { describe, expect, test } from 'vitest';
import { silentLog } from '../../shared/log.ts';
import { createAuthenticator } from '../sip/authenticator.ts';
import { chooseChallenge } from '../sip/digest-client.ts';
import type { Endpoint } from '../sip/endpoint.ts';
import { EMPTY_BODY, type Header, type SipRequest } from '../sip/message.ts';
import { responseTo } from '../sip/response.ts';
import type { Origin } from '../sip/transport.ts';
import { VirtualNetwork } from '../sip/virtual-network.ts';
import { createGuard } from './guard.ts';
import { createRateLimit } from './rate-limit.ts';
import { createSourceMatch } from './source-match.ts';
import { TrunkLine } from './trunk-line.ts';
import type { Trunk } from './trunk.ts';

const from = (address: string, port = 5060): Origin => ({
  transport: 'udp',
  address,
  port,
  connection: null,
});

function lineOf(patch: Partial<Trunk>): TrunkLine {
  const net = new VirtualNetwork();
  const endpoint: Endpoint = net.agent('192.0.2.1', () => ({ kind: 'drop' })).endpoint;
  const trunk: Trunk = {
    id: 't',
    name: 't',
    uri: 'sip:203.0.113.5',
    username: null,
    password: null,
    register: false,
    transport: 'udp',
    allowedSources: [],
    ...patch,
  };
  return new TrunkLine(trunk, {
    endpoint,
    scheduler: net.scheduler,
    resolve: async () => [],
    probeIntervalMs: null,
    log: silentLog,
  });
}

const request = (
  method: string,
  patch: { headers?: Header[]; user?: string; uri?: string } = {},
): SipRequest => ({
  kind: 'request',
  method,
  uri: patch.uri ?? 'sip:100@192.0.2.1',
  via: [{ transport: 'UDP', host: 'h', port: null, params: new Map() }],
  from: { displayName: null, uri: `sip:${patch.user ?? 'stranger'}@h`, params: new Map([['tag', 'x']]) },
  to: { displayName: null, uri: 'sip:100@192.0.2.1', params: new Map() },
  callId: 'c',
  cseq: { sequence: 1, method },
  headers: patch.headers ?? [],
  body: EMPTY_BODY,
});

describe('who may talk to us', () => {
  let now = 0;
  const account = lineOf({ id: 'account', username: 'alice', password: 'secret' });
  const wide = lineOf({
    id: 'wide',
    uri: 'sip:203.0.113.77',
    allowedSources: ['198.51.100.0/24', '2001:db8::/32'],
  });
  const twin = lineOf({ id: 'twin', uri: 'sip:203.0.113.5:5080', username: 'bob', password: 'x' });
  const judge = createGuard({ lines: () => [account, wide, twin], now: () => now });
  const trunkOf = (r: SipRequest, origin: Origin): string => {
    const judgement = judge(r, origin);
    return judgement.kind === 'trunk' ? judgement.trunk.id : judgement.kind;
  };

  test('the address of a trunk and its allowed sources', () => {
    expect(trunkOf(request('INVITE'), from('203.0.113.77'))).toBe('wide');
    expect(trunkOf(request('INVITE'), from('198.51.100.200'))).toBe('wide');
    expect(trunkOf(request('OPTIONS'), from('2001:db8::9'))).toBe('wide');
  });
  test('trunks that share an address are told apart by account, then by port', () => {
    expect(trunkOf(request('INVITE', { uri: 'sip:bob@192.0.2.1' }), from('203.0.113.5'))).toBe('twin');
    expect(trunkOf(request('INVITE'), from('203.0.113.5', 5080))).toBe('twin');
    expect(trunkOf(request('INVITE'), from('203.0.113.5', 9999))).toBe('account');
  });
  test('strangers: 403 for a call, silence for anything else and for scanners', () => {
    expect(judge(request('INVITE'), from('192.0.2.66'))).toMatchObject({ kind: 'refuse', status: 403 });
    expect(judge(request('OPTIONS'), from('192.0.2.66')).kind).toBe('drop');
    expect(judge(request('REGISTER'), from('192.0.2.66')).kind).toBe('drop');
    const scanner = request('INVITE', { headers: [{ name: 'user-agent', value: 'friendly-scanner' }] });
    expect(judge(scanner, from('192.0.2.67')).kind).toBe('drop');
  });
  test('a stranger who claims an account proves it by digest, once per answer', () => {
    const origin = from('192.0.2.68');
    const challenge = judge(request('INVITE', { user: 'alice' }), origin);
    if (challenge.kind !== 'refuse') throw new Error('not challenged');
    expect(challenge.status).toBe(401);
    const offered = chooseChallenge(responseTo(request('INVITE'), 401, { headers: challenge.headers }))!;
    const answer = createAuthenticator({ username: 'alice', password: 'secret' }).answer(
      offered,
      request('INVITE'),
    );
    const signed = request('INVITE', { user: 'alice', headers: [answer] });
    expect(trunkOf(signed, origin)).toBe('account');
    const replay = judge(signed, origin);
    expect(replay).toMatchObject({ kind: 'refuse', status: 401 });
    expect(JSON.stringify(replay)).toContain('stale=true');
  });
  test('a source that asks too often is dropped, and may ask again later', () => {
    const origin = from('192.0.2.69');
    const kinds = Array.from({ length: 30 }, () => judge(request('INVITE'), origin).kind);
    expect(kinds.filter((kind) => kind === 'refuse').length).toBe(20);
    expect(kinds.at(-1)).toBe('drop');
    now += 1_000;
    expect(judge(request('INVITE'), origin).kind).toBe('refuse');
    expect(trunkOf(request('INVITE'), from('203.0.113.77'))).toBe('wide');
  });
});

test('a rate limit remembers a bounded number of sources', () => {
  const rate = createRateLimit({ perSecond: 0, burst: 1, maxSources: 2, now: () => 0 });
  expect(['a', 'a', 'b', 'c', 'a'].map((source) => rate.take(source))).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
});

test('source lists: addresses, ranges, mapped addresses; bad entries match nothing', () => {
  const match = createSourceMatch(['192.0.2.1', '10.0.0.0/8', 'nonsense', '1.2.3.4/99']);
  expect(['192.0.2.1', '::ffff:192.0.2.1', '10.9.9.9', '192.0.2.2', '1.2.3.4', 'junk'].map(match)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
