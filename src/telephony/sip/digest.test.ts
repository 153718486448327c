import { describe, expect, test } from 'vitest';
import { createAuthenticator } from './authenticator.ts';
import { authorize, chooseChallenge, mayAnswer, type Challenge } from './digest-client.ts';
import { digestResponse, parseDigest } from './digest-header.ts';
import { createDigestServer } from './digest-server.ts';
import { EMPTY_BODY, type Header, type SipRequest } from './message.ts';
import { responseTo } from './response.ts';
import { seededRandom } from './virtual-network.ts';

const request: SipRequest = {
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:b@example.com',
  via: [],
  from: { displayName: null, uri: 'sip:a@example.com', params: new Map([['tag', 'a']]) },
  to: { displayName: null, uri: 'sip:b@example.com', params: new Map() },
  callId: 'c',
  cseq: { sequence: 1, method: 'INVITE' },
  headers: [],
  body: EMPTY_BODY,
};

describe('published values', () => {
  const rfc7616 = {
    username: 'Mufasa',
    realm: 'http-auth@example.org',
    password: 'Circle of Life',
    method: 'GET',
    uri: '/dir/index.html',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    qop: { cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ', nonceCount: '00000001' },
    sessionCnonce: '',
  } as const;
  test('RFC 7616 section 3.9.1, MD5 and SHA-256', () => {
    expect(digestResponse({ ...rfc7616, algorithm: 'MD5' })).toBe('8ca523f5e9506fed4657c9700eebdbec');
    expect(digestResponse({ ...rfc7616, algorithm: 'SHA-256' })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
  });
  test('RFC 2617 section 3.5', () => {
    const response = digestResponse({
      algorithm: 'MD5',
      username: 'Mufasa',
      realm: 'testrealm@host.com',
      password: 'Circle Of Life',
      method: 'GET',
      uri: '/dir/index.html',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      qop: { cnonce: '0a4f113b', nonceCount: '00000001' },
      sessionCnonce: '',
    });
    expect(response).toBe('6629fae49393a05397450978507c4ef1');
  });
});

describe('choosing a challenge', () => {
  const of = (...values: string[]): Challenge | null =>
    chooseChallenge(
      responseTo(request, 401, { headers: values.map((value) => ({ name: 'www-authenticate', value })) }),
    );
  test('SHA-256 before MD5, unknown algorithms and qop=auth-int alone left out', () => {
    expect(
      of(
        'Digest realm="r", nonce="1"',
        'Digest realm="r", nonce="2", algorithm=SHA-256, qop="auth,auth-int"',
      ),
    ).toMatchObject({
      nonce: '2',
      algorithm: 'SHA-256',
      qop: true,
    });
    expect(of('Digest realm="r", nonce="1", algorithm=SHA-512-256', 'Basic realm="r"')).toBeNull();
    expect(of('Digest realm="r", nonce="1", qop="auth-int"')).toBeNull();
    expect(of('Digest realm="a, \\"b\\"", nonce="1", stale=TRUE')).toMatchObject({
      realm: 'a, "b"',
      stale: true,
      qop: false,
    });
  });
  test('one try, one more for stale', () => {
    const plain = of('Digest realm="r", nonce="1"')!;
    const stale = of('Digest realm="r", nonce="1", stale=true')!;
    expect([0, 1, 2].map((n) => mayAnswer(plain, n))).toEqual([true, false, false]);
    expect([0, 1, 2].map((n) => mayAnswer(stale, n))).toEqual([true, true, false]);
  });
  test('the count of one nonce goes up', () => {
    const authenticator = createAuthenticator({ username: 'u', password: 'p' });
    const challenge = of('Digest realm="r", nonce="1", qop="auth"')!;
    const counts = [1, 2].map(() => parseDigest(authenticator.answer(challenge, request).value)?.get('nc'));
    expect(counts).toEqual(['00000001', '00000002']);
  });
});

describe('server', () => {
  let now = 0;
  const server = createDigestServer({ realm: 'callwright', now: () => now });
  const answered = (
    challengeText: string,
    patch: { password?: string; count?: number; method?: string } = {},
  ): SipRequest => {
    const challenge = chooseChallenge(
      responseTo(request, 401, { headers: [{ name: 'www-authenticate', value: challengeText }] }),
    )!;
    const credentials = { username: 'u', password: patch.password ?? 'secret' };
    const header: Header = authorize(
      challenge,
      credentials,
      { ...request, method: patch.method ?? 'INVITE' },
      patch.count ?? 1,
    );
    return { ...request, headers: [header] };
  };
  const verify = (r: SipRequest) => server.verify(r, (name) => (name === 'u' ? 'secret' : null));

  test.each(['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'] as const)(
    '%s: right once, a replay is stale',
    (algorithm) => {
      const good = answered(server.challenge(false, algorithm));
      expect(verify(good)).toEqual({ ok: true, username: 'u' });
      expect(verify(good)).toEqual({ ok: false, stale: true });
    },
  );
  test('the next count of the same nonce is good, an earlier one stale', () => {
    const challenge = server.challenge(false);
    expect(verify(answered(challenge, { count: 5 })).ok).toBe(true);
    expect(verify(answered(challenge, { count: 6 })).ok).toBe(true);
    expect(verify(answered(challenge, { count: 4 }))).toEqual({ ok: false, stale: true });
  });
  test('a wrong password is not stale, also with an old nonce', () => {
    const challenge = server.challenge(false);
    expect(verify(answered(challenge, { password: 'wrong' }))).toEqual({ ok: false, stale: false });
    now += 400_000;
    expect(verify(answered(challenge, { password: 'wrong' }))).toEqual({ ok: false, stale: false });
    expect(verify(answered(challenge))).toEqual({ ok: false, stale: true });
  });
  test('a nonce of somebody else, another method or another URI is refused', () => {
    const other = createDigestServer({ realm: 'callwright', now: () => now });
    expect(verify(answered(other.challenge(false))).ok).toBe(false);
    expect(verify(answered(server.challenge(false), { method: 'BYE' })).ok).toBe(false);
    expect(verify({ ...answered(server.challenge(false)), uri: 'sip:other@example.com' }).ok).toBe(false);
  });
  test('10 000 mutated Authorization values: none passes with another response, none throws', () => {
    const random = seededRandom(7616);
    const good = answered(server.challenge(false)).headers[0]?.value ?? '';
    const passed: string[] = [];
    for (let i = 0; i < 10_000; i++) {
      const at = 7 + Math.floor(random() * (good.length - 7));
      const noise = ['"', ',', '=', '\\', ' ', 'x', '0', ''][Math.floor(random() * 8)] ?? '';
      const value = good.slice(0, at) + noise + good.slice(at + 1 + Math.floor(random() * 4));
      const verdict = verify({ ...request, headers: [{ name: 'authorization', value }] });
      // A change outside what is signed may leave the value right; it then counts as used.
      if (verdict.ok && parseDigest(value)?.get('response') !== parseDigest(good)?.get('response'))
        passed.push(value);
    }
    expect(passed).toEqual([]);
  });
});
