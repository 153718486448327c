import { describe, expect, it } from 'vitest';
import { acceptAnswer, answerOffer, createOffer } from '@callwright/sip';
import { type NegotiatedMedia, createSourceMatch } from '@callwright/rtp';
import { inboundMedia, newSessionId, renegotiation, rtpTerms, trunkMedia } from './trunk.ts';
import { silentLog } from '../shared/log.ts';

const SESSION = { address: '192.0.2.1', port: 20_000, sessionId: 7 };
const peer = (attribute: string): string =>
  [
    'v=0',
    'o=- 1 1 IN IP4 192.0.2.9',
    's=-',
    'c=IN IP4 192.0.2.9',
    't=0 0',
    'm=audio 6000 RTP/AVP 0',
    attribute,
    '',
  ].join('\r\n');

it('numbers sessions of one second differently', () => {
  const ids = Array.from({ length: 100 }, newSessionId);
  expect(new Set(ids).size).toBe(100);
  expect(ids.every(Number.isSafeInteger)).toBe(true);
});

describe('renegotiation', () => {
  it('offers all codecs and sendrecv after a hold, and takes the answer from the ACK', () => {
    const media: NegotiatedMedia[] = [];
    const first = createOffer({ ...SESSION, version: 1 });
    const session = renegotiation({ createOffer, acceptAnswer, answerOffer }, SESSION, first, (m) =>
      media.push(m),
    );
    expect(session.onReoffer(peer('a=sendonly'))).toContain('a=recvonly');
    const offer = session.onOfferRequest();
    expect(offer).toContain('m=audio 20000 RTP/AVP 0 8 101');
    expect(offer).toContain('a=sendrecv');
    expect(offer).toMatch(/^o=callwright 7 3 /m);
    session.onReofferAnswer(peer('a=sendrecv'));
    expect(media.map(({ direction }) => direction)).toEqual(['recvonly', 'sendrecv']);
    expect(session.onOfferRequest()).toBe(offer);
  });
});

const OURS = { address: '192.0.2.1', port: 20_000, sessionId: 7, version: 1 };
const OUTSIDE = 'the media address is outside the media_ranges of the trunk';
const sdpAt = (address: string): string =>
  ['v=0', 'o=- 1 1 IN IP4 x', 's=-', `c=IN IP4 ${address}`, 't=0 0', 'm=audio 6000 RTP/AVP 0', ''].join(
    '\r\n',
  );

/** The negotiator of a trunk, and the addresses that it logged. */
function negotiator(ranges: readonly string[]) {
  const logged: unknown[] = [];
  const log = { ...silentLog, warn: (fields: { peer?: unknown }) => void logged.push(fields.peer) };
  const sdp = trunkMedia(
    {
      sdp: { createOffer, acceptAnswer, answerOffer },
      signalling: {
        mediaRules: () => ({ srtp: 'off', ranges, takes: createSourceMatch(ranges), owns: () => false }),
      },
      log: log as never,
    },
    { callId: 'c', trunkId: 't' },
  );
  const results = (address: string) => [
    sdp.answerOffer(sdpAt(address), OURS),
    sdp.acceptAnswer(sdpAt(address), sdp.createOffer(OURS)),
  ];
  return { results, logged };
}

it('sends keys by INFO where the trunk says so and the far side has no telephone-event', () => {
  const of = (keysByInfo: boolean) =>
    trunkMedia(
      {
        sdp: { createOffer, acceptAnswer, answerOffer },
        signalling: {
          mediaRules: () => ({ srtp: 'off', keysByInfo, ranges: [], takes: () => true, owns: () => false }),
        },
        log: silentLog,
      },
      { callId: 'c', trunkId: 't' },
    );
  const bare = sdpAt('192.0.2.9');
  const withEvents = bare.replace('RTP/AVP 0', 'RTP/AVP 0 101') + 'a=rtpmap:101 telephone-event/8000\r\n';
  const bySignalling = (keysByInfo: boolean, sdp: string): unknown[] => {
    const media = of(keysByInfo);
    const outcomes = [media.answerOffer(sdp, OURS), media.acceptAnswer(sdp, media.createOffer(OURS))];
    return outcomes.map((outcome) => outcome.accepted && outcome.media.keysBySignalling);
  };
  expect(bySignalling(true, bare)).toEqual([true, true]);
  expect(bySignalling(true, withEvents)).toEqual([undefined, undefined]);
  expect(bySignalling(false, bare)).toEqual([undefined, undefined]);
});

describe('srtp of a trunk', () => {
  const sdpOf = (srtp: 'optional' | 'required') =>
    trunkMedia(
      {
        sdp: { createOffer, acceptAnswer, answerOffer },
        signalling: { mediaRules: () => ({ srtp, ranges: [], takes: () => true, owns: () => false }) },
        log: silentLog,
      },
      { callId: 'c', trunkId: 't' },
    );
  const theirOffer = createOffer({ ...SESSION, address: '192.0.2.10', version: 1, srtp: 'required' });

  it('required: a re-INVITE without SRTP is refused, and the keys of the call stay', () => {
    const sdp = sdpOf('required');
    const first = sdp.answerOffer(theirOffer, OURS);
    if (!first.accepted) throw new Error(first.reason);
    const media: NegotiatedMedia[] = [];
    const session = renegotiation(sdp, OURS, first.answer, (m) => media.push(m));
    expect(session.onReoffer(peer('a=sendrecv'))).toBeNull();
    session.onReofferAnswer(peer('a=sendrecv'));
    expect(media).toEqual([]);
    expect(session.onReoffer(theirOffer)).toBe(first.answer);
    expect(session.onOfferRequest()).toContain(/a=crypto:.*/.exec(first.answer)?.[0]);
    expect(media[0]?.srtp).toEqual(first.media.srtp);
  });

  it('optional: a re-INVITE may move the call to a party without SRTP and back', () => {
    const sdp = sdpOf('optional');
    const first = sdp.answerOffer(theirOffer, OURS);
    if (!first.accepted) throw new Error(first.reason);
    const media: NegotiatedMedia[] = [];
    const session = renegotiation(sdp, OURS, first.answer, (m) => media.push(m));
    expect(session.onReoffer(peer('a=sendrecv'))).not.toContain('a=crypto');
    expect(session.onReoffer(theirOffer)).toContain('a=crypto:1 ');
    expect(media.map(({ srtp }) => srtp !== undefined)).toEqual([false, true]);
  });
});

it('the leg of a call binds the address of its trunk, and has 16 kHz where the trunk has G.722', () => {
  expect(rtpTerms({})).toEqual({ sampleRate: 8_000 });
  expect(rtpTerms({ host: '192.0.2.1', codecs: ['PCMU'] })).toEqual({ host: '192.0.2.1', sampleRate: 8_000 });
  expect(rtpTerms({ codecs: ['PCMU', 'G722'] })).toEqual({ sampleRate: 16_000 });
  expect(rtpTerms({ codecs: ['OPUS', 'PCMU'] })).toEqual({ sampleRate: 16_000, opus: true });
});

it('codecs of a trunk are those of its offers and answers', () => {
  const rules = { srtp: 'off', codecs: ['PCMA'], ranges: [], takes: () => true, owns: () => false } as const;
  const sdp = trunkMedia(
    {
      sdp: { createOffer, acceptAnswer, answerOffer },
      signalling: { mediaRules: () => rules },
      log: silentLog,
    },
    { callId: 'c', trunkId: 't' },
  );
  expect(sdp.createOffer(OURS)).toContain('RTP/AVP 8 101');
  expect(sdp.answerOffer(sdpAt('192.0.2.10'), OURS)).toMatchObject({ accepted: false, refuse: 488 });
});

describe('media_ranges of a trunk', () => {
  it('refuse offers and answers with an address outside, and log it', () => {
    const { results, logged } = negotiator(['203.0.113.0/24']);
    expect(results('198.51.100.7')).toEqual([
      { accepted: false, refuse: 488, reason: OUTSIDE },
      { accepted: false, reason: OUTSIDE },
    ]);
    expect(logged).toEqual(['198.51.100.7', '198.51.100.7']);
    for (const outcome of results('203.0.113.9')) {
      expect(outcome).toMatchObject({ accepted: true, media: { mediaRanges: ['203.0.113.0/24'] } });
    }
    expect(logged).toHaveLength(2);
  });

  it('leave everything to the peer when unset', () => {
    for (const outcome of negotiator([]).results('10.0.0.7')) {
      expect(outcome).toMatchObject({ accepted: true, media: { remoteAddress: '10.0.0.7' } });
      expect(outcome).not.toHaveProperty('media.mediaRanges');
    }
  });
});

describe('media of an inbound call', () => {
  const [offer] = negotiator([]).results('198.51.100.7');
  const [ranged] = negotiator(['198.51.100.7']).results('198.51.100.7');
  const limitOf = (outcome: typeof offer, signalling: string, own: readonly string[] = []) =>
    outcome?.accepted === true
      ? inboundMedia(outcome.media, signalling, (address) => own.includes(address)).unprovenMs
      : undefined;

  it('is not limited towards an address of the trunk, whose mute callers hear the whole greeting', () => {
    expect(limitOf(offer, '203.0.113.5', ['198.51.100.7'])).toBeNull();
    expect(limitOf(offer, '203.0.113.5', ['198.51.100.8'])).toBe(5_000);
  });

  it('is limited towards an address that nothing vouches for', () => {
    expect(limitOf(offer, '203.0.113.5')).toBe(5_000);
    expect(limitOf(offer, '198.51.100.7')).toBeNull();
    expect(limitOf(ranged, '203.0.113.5')).toBeNull();
  });
});
