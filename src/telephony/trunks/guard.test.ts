import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../shared/log.ts';
import {
  EMPTY_BODY,
  type Endpoint,
  type Header,
  type Judgement,
  type Origin,
  type SipRequest,
  chooseChallenge,
  createAuthenticator,
  responseTo,
} from '@callwright/sip';
import { VirtualNetwork } from '../../../packages/sip/test/virtual-network.ts';
import { createGuard, createRateLimit } from './guard.ts';
import { type Trunk } from './trunk.ts';
import { createSourceMatch } from '@callwright/rtp';
import { TrunkLine } from './trunk-line.ts';

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

const trunkIds = (judgement: Judgement): unknown =>
  judgement.kind === 'trunk' ? [judgement.trunk.id, ...(judgement.alternatives ?? [])] : judgement.kind;

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

describe('guard', () => {
  let now = 0;
  const account = lineOf({ id: 'account', username: 'alice', password: 'secret' });
  const wide = lineOf({
    id: 'wide',
    uri: 'sip:203.0.113.77',
    allowedSources: ['198.51.100.0/24', '2001:db8::/32'],
  });
  const twin = lineOf({ id: 'twin', uri: 'sip:203.0.113.5:5080', username: 'bob', password: 'x' });
  const guard = createGuard({ lines: () => [account, wide, twin], now: () => now });
  const judge = (r: SipRequest, origin: Origin): Judgement => guard.judge(r, origin);
  const trunkOf = (r: SipRequest, origin: Origin): string => {
    const judgement = judge(r, origin);
    return judgement.kind === 'trunk' ? judgement.trunk.id : judgement.kind;
  };

  test('accepts the address of a trunk and its allowed sources', () => {
    expect(trunkOf(request('INVITE'), from('203.0.113.77'))).toBe('wide');
    expect(trunkOf(request('INVITE'), from('198.51.100.200'))).toBe('wide');
    expect(trunkOf(request('OPTIONS'), from('2001:db8::9'))).toBe('wide');
  });
  test('distinguishes trunks on one address by account, then by port', () => {
    expect(trunkOf(request('INVITE', { uri: 'sip:bob@192.0.2.1' }), from('203.0.113.5'))).toBe('twin');
    expect(trunkOf(request('INVITE'), from('203.0.113.5', 5080))).toBe('twin');
    expect(trunkOf(request('INVITE'), from('203.0.113.5', 9999))).toBe('account');
    const other = lineOf({ id: 'other', uri: 'sip:other.example', allowedSources: ['203.0.113.5'] });
    const three = createGuard({ lines: () => [account, other, twin], now: () => now });
    const ids = (r: SipRequest, port: number): readonly string[] => {
      const judgement = three.judge(r, from('203.0.113.5', port));
      return judgement.kind === 'trunk' ? [judgement.trunk.id, ...(judgement.alternatives ?? [])] : [];
    };
    expect(ids(request('INVITE'), 9999)).toEqual(['account', 'other', 'twin']);
    const own = request('INVITE');
    expect(ids({ ...own, from: { ...own.from, uri: 'sip:1@other.example' } }, 9999)[0]).toBe('other');
    expect(ids(request('INVITE', { uri: 'sip:bob@192.0.2.1' }), 9999)).toEqual(['twin']);
  });
  describe('of two accounts of one user at one address', () => {
    const [left, right] = ['left', 'right'].map((id) => lineOf({ id, username: 'alice', password: 'x' }));
    const lines = [left!, account, right!];
    const both = createGuard({ lines: () => [...lines, twin], now: () => now });
    const called = (uri: string): unknown =>
      trunkIds(both.judge(request('INVITE', { uri }), from('203.0.113.5')));
    test('takes the one whose Contact is called, and the others of the user for its number', () => {
      for (const { id, contactLine } of lines) {
        const ids = lines.map((line) => line.id);
        const others = ids.filter((other) => other !== id);
        expect(called(`sip:alice@192.0.2.1:5060;line=${contactLine}`)).toEqual([id, ...others]);
        expect(called(`sip:alice@192.0.2.1;transport=udp;LINE=${contactLine.toUpperCase()}`)).toEqual([
          id,
          ...others,
        ]);
      }
    });
    test('takes the first trunk of the user where the Contact names no line, or that of another party', () => {
      for (const line of ['', ';line', ';line=0', `;line=${twin.contactLine}`])
        expect(called(`sip:alice@192.0.2.1${line}`)).toEqual(['left', 'account', 'right']);
    });
    test('takes the one of the Contact where the carrier puts the called number into it', () => {
      const ids = called(`sip:+14155550100@192.0.2.1;line=${right!.contactLine}`);
      expect(ids).toEqual(['right', 'left', 'account', 'twin']);
    });
    test('takes none by its line whose address the request does not come from', () => {
      const uri = `sip:alice@192.0.2.1;line=${left!.contactLine}`;
      expect(both.judge(request('INVITE', { uri }), from('192.0.2.64'))).toMatchObject({
        kind: 'refuse',
        status: 401,
      });
    });
  });
  test('takes requests of a trunk with TLS over TLS alone, from its address and by its account', () => {
    const secret = lineOf({
      id: 'secret',
      uri: 'sips:203.0.113.9',
      transport: 'tls',
      username: 'carol',
      password: 'x',
    });
    const strict = createGuard({ lines: () => [secret], now: () => now });
    const kinds = (['tls', 'udp', 'tcp'] as const).map((transport) => {
      const judgement = strict.judge(request('INVITE'), { ...from('203.0.113.9'), transport });
      return judgement.kind === 'refuse' ? judgement.status : judgement.kind;
    });
    expect(kinds).toEqual(['trunk', 403, 403]);
    const stranger = { ...from('192.0.2.70'), transport: 'tls' as const };
    expect(strict.judge(request('INVITE'), stranger)).toMatchObject({ kind: 'refuse', status: 401 });
  });
  test('takes an INVITE from shared addresses only with the secret of its trunk', () => {
    const hash = createHash('sha256').update('token-of-ours').digest('hex');
    const shared = { uri: 'sip:203.0.113.9', inboundSecret: { header: 'X-Telnyx-Token', hash } };
    const [ours, theirs] = [
      lineOf({ ...shared, id: 'ours' }),
      lineOf({ ...shared, id: 'open', inboundSecret: null }),
    ];
    const decide = (lines: TrunkLine[], method: string, value: string | null): unknown => {
      const headers = value === null ? [] : [{ name: 'x-telnyx-token', value }];
      const guard = createGuard({ lines: () => lines, now: () => now });
      const judgement = guard.judge(request(method, { headers }), from('203.0.113.9'));
      return judgement.kind === 'refuse' ? judgement.status : trunkIds(judgement);
    };
    expect(decide([ours], 'INVITE', 'token-of-ours ')).toEqual(['ours']);
    expect(decide([ours], 'INVITE', 'token-of-others')).toBe(403);
    expect(decide([ours], 'INVITE', null)).toBe(403);
    expect(decide([ours], 'OPTIONS', null)).toEqual(['ours']);
    expect(decide([ours, theirs], 'INVITE', null)).toEqual(['open']);
    expect(decide([ours, theirs], 'INVITE', 'token-of-ours')).toEqual(['ours', 'open']);
  });
  test('gives an INVITE of an unknown source the same response for known and unknown accounts', () => {
    const statuses = ['alice', 'mallory'].map((user) =>
      judge(request('INVITE', { user }), from('192.0.2.65')),
    );
    expect(statuses).toMatchObject([
      { kind: 'refuse', status: 401 },
      { kind: 'refuse', status: 401 },
    ]);
    const open = createGuard({ lines: () => [wide], now: () => now });
    expect(open.judge(request('INVITE'), from('192.0.2.65'))).toMatchObject({ kind: 'refuse', status: 403 });
  });
  test('drops other methods of an unknown source and scanners', () => {
    expect(judge(request('OPTIONS'), from('192.0.2.66')).kind).toBe('drop');
    expect(judge(request('REGISTER'), from('192.0.2.66')).kind).toBe('drop');
    const scanner = request('INVITE', { headers: [{ name: 'user-agent', value: 'friendly-scanner' }] });
    expect(judge(scanner, from('192.0.2.67')).kind).toBe('drop');
  });
  test('accepts an account by digest from any source, and each response once', () => {
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
  test('drops a source above the rate limit until its bucket refills', () => {
    const origin = from('192.0.2.69');
    const kinds = Array.from({ length: 30 }, () => judge(request('INVITE'), origin).kind);
    expect(kinds.filter((kind) => kind === 'refuse').length).toBe(20);
    expect(kinds.at(-1)).toBe('drop');
    now += 1_000;
    expect(judge(request('INVITE'), origin).kind).toBe('refuse');
    expect(trunkOf(request('INVITE'), from('203.0.113.77'))).toBe('wide');
  });
  test('parses messages of unproven sources within a rate and a size, those of trunks without', () => {
    const guard = createGuard({ lines: () => [wide], now: () => now });
    const admitted = (address: string, bytes = 500): number =>
      Array.from({ length: 5_000 }, () => guard.admits(from(address), bytes)).filter(Boolean).length;
    expect(admitted('192.0.2.70')).toBe(100);
    expect(admitted('192.0.2.71', 8_193)).toBe(0);
    expect(admitted('203.0.113.77', 60_000)).toBe(5_000);
    const spoofed = Array.from({ length: 5_000 }, (_, n) => `10.1.${n >> 8}.${n & 255}`);
    expect(spoofed.filter((address) => guard.admits(from(address), 500)).length).toBe(900);
    guard.prove(from('192.0.2.70'));
    expect(admitted('192.0.2.70', 60_000)).toBe(5_000);
    now += 600_000;
    expect(admitted('192.0.2.70', 60_000)).toBe(0);
  });
});

test('a source that is banned takes its /64 of IPv6 along, and no other address of IPv4', () => {
  const guard = createGuard({ lines: () => [], now: () => 0 });
  const scan = request('INVITE', { headers: [{ name: 'user-agent', value: 'friendly-scanner' }] });
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3'])
    guard.judge(scan, from(address));
  for (let n = 0; n < 3; n += 1) guard.judge(scan, from('::ffff:192.0.2.80'));
  const admitted = [
    '2001:db8:1:2:9::9',
    '2001:db8:1:3::1',
    '::ffff:192.0.2.80',
    '::ffff:192.0.2.81',
    '192.0.2.81',
  ].map((address) => guard.admits(from(address), 500));
  expect(admitted).toEqual([false, true, false, true, true]);
  expect(guard.bans).toEqual({ total: 2, current: 2 });
});

test('the rate limit holds a bounded number of sources', () => {
  const rate = createRateLimit({ perSecond: 0, burst: 1, maxSources: 2, now: () => 0 });
  expect(['a', 'a', 'b', 'c', 'a'].map((source) => rate.take(source))).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
});

test('matches addresses, ranges and mapped addresses; invalid entries match nothing', () => {
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
