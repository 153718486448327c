import { describe, expect, test } from 'vitest';
import {
  authorize,
  type Challenge,
  chooseChallenge,
  createAuthenticator,
  mayAnswer,
} from './digest-client.ts';
import { digestResponse, parseDigest } from './digest-header.ts';
import { createDigestServer } from './digest-server.ts';
import { EMPTY_BODY, type Header, type SipRequest } from './message.ts';
import { responseTo } from './response.ts';

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

describe('digest response against published vectors', () => {
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

describe('challenge selection', () => {
  const of = (...values: string[]): Challenge | null =>
    chooseChallenge(
      responseTo(request, 401, { headers: values.map((value) => ({ name: 'www-authenticate', value })) }),
    );
  test('prefers SHA-256 to MD5 and skips unknown algorithms and qop=auth-int alone', () => {
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
  test('allows one answer, and a second one for stale=true', () => {
    const plain = of('Digest realm="r", nonce="1"')!;
    const stale = of('Digest realm="r", nonce="1", stale=true')!;
    const after = [[], [plain], [plain, stale]];
    expect(after.map((answered) => mayAnswer(plain, answered))).toEqual([true, false, false]);
    expect(after.map((answered) => mayAnswer(stale, answered))).toEqual([true, true, false]);
  });
  test('allows an answer to a second realm, but not to a third', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((realm) => of(`Digest realm="${realm}", nonce="1"`)!);
    expect([mayAnswer(b!, [a!]), mayAnswer(a!, [a!, b!]), mayAnswer(c!, [a!, b!])]).toEqual([
      true,
      false,
      false,
    ]);
  });
  /** An authenticator with its challenges as responses to `method` from `address`, and what it refused. */
  function pinning(isOwnRealm: (realm: string) => boolean = () => false) {
    const refused: string[] = [];
    const authenticator = createAuthenticator(
      { username: 'u', password: 'p' },
      { isOwnRealm, onRefused: (realm, address) => void refused.push(`${realm} ${address}`) },
    );
    const challenged = (value: string, method = 'INVITE', address = '192.0.2.9'): Challenge | null => {
      const asked = { ...request, method, cseq: { sequence: 1, method } };
      const headers = [{ name: 'www-authenticate', value: `Digest ${value}` }];
      return authenticator.challenge(responseTo(asked, 401, { headers }), address);
    };
    const accepted = (value: string, method = 'INVITE', address = '192.0.2.9'): void =>
      authenticator.accept([challenged(value, method, address)!], method, address);
    return { challenged, accepted, refused };
  }
  test('pins the accepted realm and strength, except for realms of the trunk itself', () => {
    const { challenged, accepted, refused } = pinning((realm) => realm === 'own');
    accepted('realm="carrier", nonce="1", qop="auth"');
    expect(challenged('realm="carrier", nonce="2", qop="auth"')).not.toBeNull();
    expect(challenged('realm="carrier", nonce="2", qop="auth", algorithm=SHA-256')).not.toBeNull();
    expect(challenged('realm="carrier", nonce="2"')).toBeNull();
    expect(challenged('realm="callee", nonce="2", qop="auth"')).toBeNull();
    expect(challenged('realm="callee", nonce="3", qop="auth"')).toBeNull();
    expect(challenged('realm="own", nonce="2"')).not.toBeNull();
    expect(refused).toEqual(['carrier 192.0.2.9', 'callee 192.0.2.9']);
  });
  test('answers nodes of a carrier that challenge in their own host names', () => {
    const { challenged, accepted, refused } = pinning();
    accepted('realm="sbc1.carrier.example", nonce="1", qop="auth"');
    expect(challenged('realm="sbc2.carrier.example", nonce="2", qop="auth"')).not.toBeNull();
    expect(challenged('realm="SBC1.carrier.example", nonce="2", qop="auth"')).not.toBeNull();
    for (const [realm, more] of [
      ['sbc2.carrier.example', ''],
      ['carrier.example', ', qop="auth"'],
      ['evil.example', ', qop="auth"'],
      ['example', ', qop="auth"'],
    ]) {
      expect([realm, challenged(`realm="${realm}", nonce="2"${more}`)]).toEqual([realm, null]);
    }
    expect(refused.length).toBe(4);
  });
  test('answers each address of a carrier in its own realm', () => {
    const { challenged, accepted } = pinning();
    accepted('realm="asterisk", nonce="1", qop="auth"');
    expect(challenged('realm="pbx", nonce="2", qop="auth"')).toBeNull();
    expect(challenged('realm="pbx", nonce="2", qop="auth"', 'INVITE', '192.0.2.10')).not.toBeNull();
  });
  test('answers the MD5 of a proxy whose registrar takes SHA-256 in the same realm', () => {
    const { challenged, accepted } = pinning();
    accepted('realm="carrier", nonce="1", qop="auth", algorithm=SHA-256', 'REGISTER');
    expect(challenged('realm="carrier", nonce="2", qop="auth"', 'REGISTER')).toBeNull();
    expect(challenged('realm="carrier", nonce="2", qop="auth"', 'INVITE')).not.toBeNull();
    accepted('realm="carrier", nonce="2", qop="auth"', 'BYE');
    expect(challenged('realm="carrier", nonce="3"', 'INVITE')).toBeNull();
  });
  test('increments the nonce count', () => {
    const authenticator = createAuthenticator({ username: 'u', password: 'p' });
    const challenge = of('Digest realm="r", nonce="1", qop="auth"')!;
    const counts = [1, 2].map(() => parseDigest(authenticator.answer(challenge, request).value)?.get('nc'));
    expect(counts).toEqual(['00000001', '00000002']);
  });
});

describe('digest server', () => {
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
    '%s: accepts a response once and treats its replay as stale',
    (algorithm) => {
      const good = answered(server.challenge(false, algorithm));
      expect(verify(good)).toEqual({ ok: true, username: 'u' });
      expect(verify(good)).toEqual({ ok: false, stale: true });
    },
  );
  test('accepts a higher nonce count and treats a lower one as stale', () => {
    const challenge = server.challenge(false);
    expect(verify(answered(challenge, { count: 5 })).ok).toBe(true);
    expect(verify(answered(challenge, { count: 6 })).ok).toBe(true);
    expect(verify(answered(challenge, { count: 4 }))).toEqual({ ok: false, stale: true });
  });
  test('a wrong password is not stale, even with an expired nonce', () => {
    const challenge = server.challenge(false);
    expect(verify(answered(challenge, { password: 'wrong' }))).toEqual({ ok: false, stale: false });
    now += 400_000;
    expect(verify(answered(challenge, { password: 'wrong' }))).toEqual({ ok: false, stale: false });
    expect(verify(answered(challenge))).toEqual({ ok: false, stale: true });
  });
  test('refuses an unknown user, also with the empty password', () => {
    const good = answered(server.challenge(false), { password: '' });
    expect(server.verify(good, () => null)).toEqual({ ok: false, stale: false });
  });
  test('refuses a foreign nonce, another method and another URI', () => {
    const other = createDigestServer({ realm: 'callwright', now: () => now });
    expect(verify(answered(other.challenge(false))).ok).toBe(false);
    expect(verify(answered(server.challenge(false), { method: 'BYE' })).ok).toBe(false);
    expect(verify({ ...answered(server.challenge(false)), uri: 'sip:other@example.com' }).ok).toBe(false);
  });
});
