import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SrtpPolicy } from './crypto-line.ts';
import { acceptAnswer, answerOffer, createOffer, type OfferOutcome, versionOf } from './offer-answer.ts';

const OURS = { address: '198.51.100.7', port: 20_000, sessionId: 77, version: 1 };
const THEIRS = { address: '192.0.2.10', port: 4000, sessionId: 5 };
const POLICIES: readonly SrtpPolicy[] = ['off', 'optional', 'required'];

const sdp = (...lines: string[]): string =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.10', 's=-', 'c=IN IP4 192.0.2.10', 't=0 0', ...lines, ''].join('\r\n');
const KEY = 'WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';
const cryptoOf = (text: string): string[] =>
  text.split('\r\n').filter((line) => line.startsWith('a=crypto:'));
const accepted = (outcome: OfferOutcome): Extract<OfferOutcome, { accepted: true }> => {
  if (!outcome.accepted) throw new Error(outcome.reason);
  return outcome;
};

describe('our offer', () => {
  it.each([
    ['off', 'RTP/AVP', 0],
    ['optional', 'RTP/AVP', 3],
    ['required', 'RTP/SAVP', 3],
  ] as const)('with srtp %s is %s with %i crypto lines', (srtp, protocol, lines) => {
    const offer = createOffer({ ...OURS, srtp });
    expect(offer).toContain(`m=audio 20000 ${protocol} 0 8 101\r\n`);
    expect(cryptoOf(offer)).toHaveLength(lines);
  });

  it('has a new key in every line and in every call', () => {
    const keys = [1, 2].flatMap(() => cryptoOf(createOffer({ ...OURS, srtp: 'required' })));
    expect(new Set(keys.map((line) => line.split('inline:')[1])).size).toBe(6);
    expect(keys.slice(0, 3).map((line) => line.split(' inline')[0])).toEqual([
      'a=crypto:1 AES_CM_128_HMAC_SHA1_80',
      'a=crypto:2 AEAD_AES_128_GCM',
      'a=crypto:3 AES_CM_128_HMAC_SHA1_32',
    ]);
  });

  it('in a re-INVITE repeats the keys of the session, and stays without SRTP where the session has none', () => {
    const first = createOffer({ ...OURS, srtp: 'required' });
    expect(createOffer({ ...OURS, srtp: 'required', previous: first })).toBe(first);
    const plain = accepted(answerOffer(sdp('m=audio 4000 RTP/AVP 0'), { ...OURS, srtp: 'optional' })).answer;
    expect(cryptoOf(createOffer({ ...OURS, srtp: 'optional', previous: plain }))).toEqual([]);
    const secure = accepted(
      answerOffer(sdp('m=audio 4000 RTP/SAVP 0', `a=crypto:4 AES_CM_128_HMAC_SHA1_32 inline:${KEY}`), {
        ...OURS,
        srtp: 'optional',
      }),
    ).answer;
    const again = createOffer({ ...OURS, srtp: 'optional', previous: secure });
    expect(again).toContain('RTP/SAVP');
    expect(cryptoOf(again)).toEqual(cryptoOf(secure));
  });
});

describe('offer and answer between two of our kind', () => {
  it.each(POLICIES.flatMap((caller) => POLICIES.map((callee) => [caller, callee] as const)))(
    'caller %s, callee %s: both agree on the keys, or the call is refused',
    (caller, callee) => {
      const offer = createOffer({ ...OURS, srtp: caller });
      const outcome = answerOffer(offer, { ...THEIRS, srtp: callee });
      const isRefused =
        (caller === 'required' && callee === 'off') || (caller === 'off' && callee === 'required');
      expect(outcome.accepted).toBe(!isRefused);
      if (!outcome.accepted) return;
      const answer = acceptAnswer(outcome.answer, offer);
      if (!answer.accepted) throw new Error(answer.reason);
      expect(answer.media.srtp !== undefined).toBe(caller !== 'off' && callee !== 'off');
      expect(answer.media.srtp?.suite).toBe(outcome.media.srtp?.suite);
      expect(answer.media.srtp?.send).toEqual(outcome.media.srtp?.receive);
      expect(answer.media.srtp?.receive).toEqual(outcome.media.srtp?.send);
    },
  );

  it('a re-INVITE keeps the key of each side, and the version when nothing else changes', () => {
    const offer = createOffer({ ...OURS, srtp: 'required' });
    const first = accepted(answerOffer(offer, { ...THEIRS, srtp: 'required' }));
    const again = accepted(answerOffer(offer, { ...THEIRS, srtp: 'required', previous: first.answer }));
    expect(again.answer).toBe(first.answer);
    const held = accepted(
      answerOffer(offer.replace('sendrecv', 'sendonly'), {
        ...THEIRS,
        srtp: 'required',
        previous: first.answer,
      }),
    );
    expect(versionOf(held.answer)).toBe(2);
    expect(held.media.srtp).toEqual(first.media.srtp);
  });
});

describe('an offer of the peer', () => {
  const CM80 = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`;

  it.each([
    ['required', [sdp('m=audio 4000 RTP/AVP 0')], 'srtp of the trunk is required, and the peer offers none'],
    ['off', [sdp('m=audio 4000 RTP/SAVP 0', CM80)], 'the peer requires SRTP, and srtp of the trunk is off'],
    ['optional', [sdp('m=audio 4000 RTP/SAVP 0')], 'no common crypto suite'],
    [
      'required',
      [sdp('m=audio 4000 RTP/SAVP 0', `a=crypto:1 F8_128_HMAC_SHA1_80 inline:${KEY}`)],
      'no common crypto suite',
    ],
    ['required', [sdp('m=audio 4000 UDP/TLS/RTP/SAVP 0', 'a=setup:actpass')], 'transport not supported'],
  ] as const)('with srtp %s is refused by 488 for its reason: %#', (srtp, [offer], reason) => {
    expect(answerOffer(offer, { ...THEIRS, srtp })).toEqual({ accepted: false, refuse: 488, reason });
  });

  it('with two lines is answered on the one with SRTP, wherever it stands', () => {
    for (const lines of [
      ['m=audio 4000 RTP/AVP 0', 'm=audio 4002 RTP/SAVP 0', CM80],
      ['m=audio 4002 RTP/SAVP 0', CM80, 'm=audio 4000 RTP/AVP 0'],
    ]) {
      const { media, answer } = accepted(answerOffer(sdp(...lines), { ...THEIRS, srtp: 'optional' }));
      expect(media.remotePort).toBe(4002);
      expect(answer).toContain('m=audio 0 RTP/AVP');
    }
  });

  it('is answered with the tag and suite of its first line that we support', () => {
    const offer = sdp(
      'm=audio 4000 RTP/SAVP 0',
      `a=crypto:1 AES_256_CM_HMAC_SHA1_80 inline:${KEY}`,
      `a=crypto:7 AES_CM_128_HMAC_SHA1_32 inline:${KEY}|2^20|1:4`,
      CM80.replace(':1', ':8'),
    );
    const { media, answer } = accepted(answerOffer(offer, { ...THEIRS, srtp: 'required' }));
    expect(cryptoOf(answer)[0]).toMatch(/^a=crypto:7 AES_CM_128_HMAC_SHA1_32 inline:/);
    expect(cryptoOf(answer)).toHaveLength(1);
    expect(media.srtp).toMatchObject({ suite: 'AES_CM_128_HMAC_SHA1_32', receivedMkiBytes: 4 });
    expect(Buffer.from(media.srtp?.receive ?? []).toString('base64')).toBe(KEY);
    expect(Buffer.from(media.srtp?.send ?? []).toString('base64')).not.toBe(KEY);
  });

  it.each([
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY} UNENCRYPTED_SRTP`,
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY} KDR=4`,
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY};inline:${KEY}`,
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY.slice(4)}`,
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|1:200`,
    `a=crypto:x AES_CM_128_HMAC_SHA1_80 inline:${KEY}`,
    'a=crypto:1 AES_CM_128_HMAC_SHA1_80 uri:https://keys.example',
    'a=crypto',
  ])('with the crypto line %s is refused', (line) => {
    const outcome = answerOffer(sdp('m=audio 4000 RTP/SAVP 0', line), { ...THEIRS, srtp: 'required' });
    expect(outcome).toMatchObject({ accepted: false, refuse: 488 });
  });

  it('with a window size hint, or a key of GCM without padding, is accepted', () => {
    const gcm = Buffer.alloc(28, 3).toString('base64');
    for (const line of [`${CM80} WSH=64`, `a=crypto:1 AEAD_AES_128_GCM inline:${gcm.replaceAll('=', '')}`]) {
      const outcome = answerOffer(sdp('m=audio 4000 RTP/SAVP 0', line), { ...THEIRS, srtp: 'required' });
      expect(outcome).toMatchObject({ accepted: true, media: { srtp: { receivedMkiBytes: 0 } } });
    }
  });
});

describe('an answer of the peer', () => {
  const offers = Object.fromEntries(POLICIES.map((srtp) => [srtp, createOffer({ ...OURS, srtp })])) as Record<
    SrtpPolicy,
    string
  >;
  const line = (tag: number, suite: string): string => `a=crypto:${tag} ${suite} inline:${KEY}`;

  it.each([
    ['optional', sdp('m=audio 4000 RTP/AVP 0'), null],
    [
      'optional',
      sdp('m=audio 4000 RTP/AVP 0', line(1, 'AES_CM_128_HMAC_SHA1_80')),
      'AES_CM_128_HMAC_SHA1_80',
    ],
    [
      'optional',
      sdp('m=audio 4000 RTP/SAVP 0', line(3, 'AES_CM_128_HMAC_SHA1_32')),
      'AES_CM_128_HMAC_SHA1_32',
    ],
    [
      'required',
      sdp('m=audio 4000 RTP/SAVP 0', line(1, 'AES_CM_128_HMAC_SHA1_80')),
      'AES_CM_128_HMAC_SHA1_80',
    ],
    ['off', sdp('m=audio 4000 RTP/AVP 0', line(1, 'AES_CM_128_HMAC_SHA1_80')), null],
  ] as const)('to an offer with srtp %s is taken: %#', (srtp, answer, suite) => {
    const outcome = acceptAnswer(answer, offers[srtp]);
    expect(outcome.accepted && (outcome.media.srtp?.suite ?? null)).toBe(suite);
  });

  it.each([
    ['required', sdp('m=audio 4000 RTP/AVP 0'), 'srtp of the trunk is required, and the peer offers none'],
    ['required', sdp('m=audio 4000 RTP/SAVP 0'), 'no common crypto suite'],
    [
      'required',
      sdp('m=audio 4000 RTP/SAVP 0', line(1, 'AES_CM_128_HMAC_SHA1_32')),
      'no common crypto suite',
    ],
    ['optional', sdp('m=audio 4000 RTP/AVP 0', line(9, 'AES_CM_128_HMAC_SHA1_80')), 'no common crypto suite'],
    ['off', sdp('m=audio 4000 RTP/SAVP 0'), 'the peer requires SRTP, and srtp of the trunk is off'],
  ] as const)('to an offer with srtp %s is refused for its reason: %#', (srtp, answer, reason) => {
    expect(acceptAnswer(answer, offers[srtp])).toEqual({ accepted: false, reason });
  });
});

it('no offer of crypto lines, however mixed, is answered in clear when SRTP is required', () => {
  const piece = fc.constantFrom(
    'm=audio 4000 RTP/AVP 0',
    'm=audio 4002 RTP/SAVP 8 0',
    'm=video 4004 RTP/SAVP 96',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`,
    `a=crypto:2 AEAD_AES_128_GCM inline:${KEY}`,
    `a=crypto:3 AES_CM_128_HMAC_SHA1_32 inline:${KEY}|2^31|1:1`,
    'a=crypto:4 NULL inline:',
    'a=sendonly',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom(...POLICIES), (lines, srtp) => {
      const outcome = answerOffer(sdp(...lines), { ...THEIRS, srtp });
      if (!outcome.accepted) return;
      const isSecure = outcome.media.srtp !== undefined;
      expect(isSecure && srtp === 'off').toBe(false);
      expect(!isSecure && srtp === 'required').toBe(false);
      expect(cryptoOf(outcome.answer)).toHaveLength(isSecure ? 1 : 0);
      // Every answer names the key that the leg sends with.
      expect(outcome.answer).toContain(Buffer.from(outcome.media.srtp?.send ?? []).toString('base64'));
    }),
    { numRuns: 500 },
  );
});
