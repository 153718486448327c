import { describe, expect, it } from 'vitest';
import { acceptAnswer, answerOffer, createOffer, versionOf } from './offer-answer.ts';
import { parseSdp } from './parse.ts';

const offerOf = (...lines: string[]): string =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.10', 's=-', 'c=IN IP4 192.0.2.10', 't=0 0', ...lines, ''].join('\r\n');

const OURS = { address: '198.51.100.7', port: 20_000, sessionId: 77, version: 1 };

/** The peer's SDP: session lines plus the given media lines. */
const sdp = (...lines: string[]): string =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.10', 's=-', 'c=IN IP4 192.0.2.10', 't=0 0', ...lines, ''].join('\r\n');

function answered(offer: string) {
  const outcome = answerOffer(offer, OURS);
  if (!outcome.accepted) throw new Error(outcome.reason);
  return { media: outcome.media, lines: outcome.answer.split('\r\n'), answer: outcome.answer };
}

describe('createOffer', () => {
  it('offers PCMU, PCMA, telephone-event and 20 ms', () => {
    expect(createOffer(OURS).split('\r\n')).toEqual([
      'v=0',
      'o=callwright 77 1 IN IP4 198.51.100.7',
      's=-',
      'c=IN IP4 198.51.100.7',
      't=0 0',
      'm=audio 20000 RTP/AVP 0 8 101',
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-15',
      'a=ptime:20',
      'a=sendrecv',
      'a=rtcp-mux',
      '',
    ]);
    expect(createOffer({ ...OURS, address: '2001:db8::7' })).toContain('c=IN IP6 2001:db8::7');
  });
  it('offers the codecs of a trunk in its order, and takes no others', () => {
    const codecs = ['PCMA', 'PCMU'];
    expect(createOffer({ ...OURS, codecs })).toContain('m=audio 20000 RTP/AVP 8 0 101\r\n');
    const theirs = offerOf('m=audio 6000 RTP/AVP 0 8');
    const taken = answerOffer(theirs, { ...OURS, codecs: ['PCMA'] });
    expect(taken.accepted && taken.answer).toContain('m=audio 20000 RTP/AVP 8\r\n');
    const none = answerOffer(offerOf('m=audio 6000 RTP/AVP 0'), { ...OURS, codecs: ['PCMA'] });
    expect(none).toEqual({ accepted: false, refuse: 488, reason: 'no common codec' });
    const other = acceptAnswer(offerOf('m=audio 6000 RTP/AVP 0'), createOffer({ ...OURS, codecs: ['PCMA'] }));
    expect(other).toEqual({ accepted: false, reason: 'answer has no offered codec' });
  });
  it('offers and takes G.722, at its RTP clock of 8 kHz, only where the trunk has it', () => {
    const codecs = ['G722', 'PCMU'];
    const offer = createOffer({ ...OURS, codecs });
    expect(offer).toContain('m=audio 20000 RTP/AVP 9 0 101\r\na=rtpmap:9 G722/8000\r\n');
    const wide = acceptAnswer(offerOf('m=audio 6000 RTP/AVP 9'), offer);
    expect(wide.accepted && wide.media.codec).toEqual({ name: 'G722', payloadType: 9, clockRate: 8000 });
    const narrow = acceptAnswer(offerOf('m=audio 6000 RTP/AVP 0'), offer);
    expect(narrow.accepted && narrow.media.codec.name).toBe('PCMU');
    const theirs = offerOf('m=audio 6000 RTP/AVP 9 8');
    const taken = answerOffer(theirs, { ...OURS, codecs });
    expect(taken.accepted && taken.media.codec.name).toBe('G722');
    const usual = answerOffer(theirs, OURS);
    expect(usual.accepted && usual.media.codec.name).toBe('PCMA');
  });
  it('offers and takes Opus with its events, at its RTP clock of 48 kHz, only where the trunk has it', () => {
    const codecs = ['OPUS', 'PCMU'];
    const offer = createOffer({ ...OURS, codecs });
    expect(offer).toContain(
      [
        'm=audio 20000 RTP/AVP 111 0 101 110',
        'a=rtpmap:111 opus/48000/2',
        'a=fmtp:111 maxplaybackrate=16000;sprop-maxcapturerate=16000;useinbandfec=1',
        'a=rtpmap:0 PCMU/8000',
        'a=rtpmap:101 telephone-event/8000',
        'a=fmtp:101 0-15',
        'a=rtpmap:110 telephone-event/48000',
        'a=fmtp:110 0-15',
        'a=ptime:20',
      ].join('\r\n'),
    );
    const opus = 'a=rtpmap:96 OPUS/48000/2\r\n';
    const both = 'a=rtpmap:97 telephone-event/8000\r\na=rtpmap:98 telephone-event/48000\r\na=ptime:60\r\n';
    const wide = acceptAnswer(`${offerOf('m=audio 6000 RTP/AVP 96 97 98')}${opus}${both}`, offer);
    expect(wide.accepted && wide.media).toMatchObject({
      // The answer numbers codec and events otherwise than our offer: the peer sends our numbers.
      codec: { name: 'OPUS', payloadType: 96, clockRate: 48_000, receiveType: 111 },
      dtmfPayloadType: 98,
      dtmfReceiveType: 110,
      dtmfClockRate: 48_000,
      ptimeMs: 20,
    });
    const narrow = acceptAnswer(
      `${offerOf('m=audio 6000 RTP/AVP 0 101')}a=rtpmap:101 telephone-event/8000\r\n`,
      offer,
    );
    expect(narrow.accepted && narrow.media).toMatchObject({ codec: { name: 'PCMU' }, dtmfPayloadType: 101 });
    expect(narrow.accepted && [narrow.media.dtmfClockRate, narrow.media.dtmfReceiveType]).toEqual([
      undefined,
      undefined,
    ]);
    const theirs = `${offerOf('m=audio 6000 RTP/AVP 96 0 97')}${opus}a=rtpmap:97 telephone-event/8000\r\n`;
    const taken = answerOffer(theirs, { ...OURS, codecs });
    expect(taken.accepted && taken.media).toMatchObject({
      codec: { name: 'OPUS', payloadType: 96 },
      dtmfPayloadType: 97,
    });
    expect(taken.accepted && taken.answer).toContain('RTP/AVP 96 97\r\na=rtpmap:96 opus/48000/2\r\n');
    const usual = answerOffer(theirs, OURS);
    expect(usual.accepted && usual.media.codec.name).toBe('PCMU');
    const mono = offerOf('m=audio 6000 RTP/AVP 96') + opus.replace('/2', '');
    expect(answerOffer(mono, { ...OURS, codecs })).toMatchObject({ accepted: false, refuse: 488 });
    // 111 means nothing without a=rtpmap.
    expect(answerOffer(offerOf('m=audio 6000 RTP/AVP 111'), { ...OURS, codecs })).toMatchObject({
      accepted: false,
    });
  });
});

describe('answerOffer', () => {
  it('selects the first supported codec of the offer and its telephone-event payload type', () => {
    const { media, lines } = answered(
      sdp(
        'm=audio 4000 RTP/AVP 9 97 8 0 96',
        'a=rtpmap:97 opus/48000/2',
        'a=rtpmap:96 telephone-event/8000',
        'a=fmtp:96 0-16',
      ),
    );
    expect(media).toEqual({
      remoteAddress: '192.0.2.10',
      remotePort: 4000,
      remoteRtcpPort: 4001,
      rtcpMux: false,
      codec: { name: 'PCMA', payloadType: 8, clockRate: 8000 },
      dtmfPayloadType: 96,
      ptimeMs: 20,
      direction: 'sendrecv',
    });
    expect(lines.slice(5)).toEqual([
      'm=audio 20000 RTP/AVP 8 96',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:96 telephone-event/8000',
      'a=fmtp:96 0-15',
      'a=ptime:20',
      'a=sendrecv',
      '',
    ]);
  });

  it.each([
    ['a=sendrecv', 'sendrecv'],
    ['a=sendonly', 'recvonly'],
    ['a=recvonly', 'sendonly'],
    ['a=inactive', 'inactive'],
  ] as const)('mirrors %s', (attribute, direction) => {
    const { media, answer } = answered(sdp('m=audio 4000 RTP/AVP 0', attribute));
    expect(media.direction).toBe(direction);
    expect(answer).toContain(`a=${direction}\r\n`);
  });

  it('uses the session direction unless the media line has one', () => {
    const session = sdp('a=inactive', 'm=audio 4000 RTP/AVP 0');
    expect(answered(session).media.direction).toBe('inactive');
    expect(answered(sdp('a=inactive', 'm=audio 4000 RTP/AVP 0', 'a=sendonly')).media.direction).toBe(
      'recvonly',
    );
  });

  it.each([
    ['c=IN IP4 0.0.0.0', [], 'recvonly'],
    ['c=IN IP4 0.0.0.0', ['a=recvonly'], 'inactive'],
    ['c=IN IP4 0.0.0.0', ['a=inactive'], 'inactive'],
    ['c=IN IP6 ::', ['a=sendonly'], 'recvonly'],
  ] as const)('reads %s with %j as hold', (connection, attributes, direction) => {
    const { media } = answered(sdp('m=audio 4000 RTP/AVP 0', connection, ...attributes));
    expect(media.direction).toBe(direction);
  });

  it.each([
    [['a=ptime:30'], 30],
    [['a=ptime:60'], 60],
    [['a=ptime:200'], 60],
    [['a=ptime:5'], 10],
    [['a=ptime:20.5'], 20],
    [['a=ptime:x'], 20],
    [['a=ptime:40', 'a=maxptime:25'], 20],
    [['a=maxptime:10'], 10],
    [['a=maxptime:150'], 20],
  ])('reads %j as %d ms', (attributes, ptimeMs) => {
    expect(answered(sdp('m=audio 4000 RTP/AVP 0', ...attributes)).media.ptimeMs).toBe(ptimeMs);
  });

  it.each([
    [['a=rtcp:5555'], 5555, false],
    [['a=rtcp:5555 IN IP4 192.0.2.44'], 5555, false],
    [['a=rtcp:0'], 4001, false],
    [['a=rtcp:banana'], 4001, false],
    [['a=rtcp:5555', 'a=rtcp-mux'], 4000, true],
  ])('reads %j', (attributes, remoteRtcpPort, rtcpMux) => {
    const { media, answer } = answered(sdp('m=audio 4000 RTP/AVP 0', ...attributes));
    expect(media).toMatchObject({ remoteRtcpPort, rtcpMux });
    expect(answer.includes('a=rtcp-mux')).toBe(rtcpMux);
  });

  it('accepts one of two audio lines and refuses video, in the order of the offer', () => {
    const { media, lines } = answered(
      sdp(
        'm=video 5000 RTP/AVP 96 97',
        'm=audio 5002 RTP/SAVP 0',
        'm=audio 5004 RTP/AVP 8',
        'm=audio 5006 RTP/AVP 0',
        'm=application 9 UDP/BFCP *',
      ),
    );
    expect(media.remotePort).toBe(5004);
    expect(lines.filter((line) => line.startsWith('m='))).toEqual([
      'm=video 0 RTP/AVP 96 97',
      'm=audio 0 RTP/SAVP 0',
      'm=audio 20000 RTP/AVP 8',
      'm=audio 0 RTP/AVP 0',
      'm=application 0 UDP/BFCP *',
    ]);
  });

  it('skips a disabled audio line', () => {
    expect(answered(sdp('m=audio 0 RTP/AVP 0', 'm=audio 5004 RTP/AVP 0')).media.remotePort).toBe(5004);
  });

  it('accepts IPv6, dynamic payload types for G.711 and case-insensitive codec names', () => {
    const { media } = answered(
      sdp('m=audio 4000 RTP/AVP 118', 'c=IN IP6 2001:db8::9', 'a=rtpmap:118 pcmu/8000/1'),
    );
    expect(media).toMatchObject({
      remoteAddress: '2001:db8::9',
      codec: { name: 'PCMU', payloadType: 118 },
      dtmfPayloadType: null,
    });
  });

  it.each([
    [sdp('m=audio 4000 RTP/AVP 9 18'), 'no common codec'],
    [sdp('m=audio 4000 RTP/AVP 0', 'a=rtpmap:0 PCMU/8000/2'), 'no common codec'],
    [sdp('m=audio 4000 RTP/AVP 0', 'a=rtpmap:0 PCMU/16000'), 'no common codec'],
    [sdp('m=audio 4000 RTP/AVP 101', 'a=rtpmap:101 telephone-event/8000'), 'no common codec'],
    [sdp('m=audio 4000 RTP/SAVP 0'), 'the peer requires SRTP, and srtp of the trunk is off'],
    [sdp('m=audio 4000 UDP/TLS/RTP/SAVP 0'), 'transport not supported'],
    [sdp('m=audio 0 RTP/AVP 0'), 'media line disabled'],
    [sdp('m=video 4000 RTP/AVP 96'), 'no audio offered'],
    [sdp(), 'no audio offered'],
    [sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 host.example'), 'no address for host.example in c='],
    [sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 239.1.1.1/32'), 'multicast not supported'],
    [sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 255.255.255.255'), 'multicast not supported'],
    [sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP6 ff02::1'), 'multicast not supported'],
    ['v=7', 'sdp does not start with v=0'],
  ])('refuses with 488: %#', (offer, reason) => {
    expect(answerOffer(offer, OURS)).toEqual({ accepted: false, refuse: 488, reason });
  });

  it('accepts telephone-event only at 8000 Hz', () => {
    const { media } = answered(
      sdp(
        'm=audio 4000 RTP/AVP 0 110 111',
        'a=rtpmap:110 telephone-event/48000',
        'a=rtpmap:111 telephone-event/8000',
      ),
    );
    expect(media.dtmfPayloadType).toBe(111);
  });

  it('raises the session version only when the answer changes', () => {
    const offer = sdp('m=audio 4000 RTP/AVP 0');
    const first = answered(offer).answer;
    const again = answerOffer(offer, { ...OURS, previous: first });
    expect(again).toMatchObject({ accepted: true, answer: first });
    const held = answerOffer(sdp('m=audio 4000 RTP/AVP 0', 'a=sendonly'), { ...OURS, previous: first });
    expect(held.accepted && versionOf(held.answer)).toBe(2);
    const resumed = answerOffer(offer, { ...OURS, previous: held.accepted ? held.answer : null });
    expect(resumed.accepted && versionOf(resumed.answer)).toBe(3);
  });
});

describe('acceptAnswer', () => {
  const offer = createOffer(OURS);

  it('uses the answered codec and address', () => {
    expect(
      acceptAnswer(
        sdp('m=audio 6000 RTP/AVP 8 101', 'a=rtpmap:101 telephone-event/8000', 'a=rtcp-mux', 'a=ptime:20'),
        offer,
      ),
    ).toEqual({
      accepted: true,
      media: {
        remoteAddress: '192.0.2.10',
        remotePort: 6000,
        remoteRtcpPort: 6000,
        rtcpMux: true,
        codec: { name: 'PCMA', payloadType: 8, clockRate: 8000 },
        dtmfPayloadType: 101,
        ptimeMs: 20,
        direction: 'sendrecv',
      },
    });
  });

  it('sends keys by the number of the answer and expects them by that of our offer', () => {
    const keys = (...lines: string[]): unknown => {
      const outcome = acceptAnswer(sdp(...lines), offer);
      return outcome.accepted && [outcome.media.dtmfPayloadType, outcome.media.dtmfReceiveType];
    };
    expect(keys('m=audio 6000 RTP/AVP 0 96', 'a=rtpmap:96 telephone-event/8000')).toEqual([96, 101]);
    expect(keys('m=audio 6000 RTP/AVP 0 101', 'a=rtpmap:101 telephone-event/8000')).toEqual([101, undefined]);
    expect(keys('m=audio 6000 RTP/AVP 0')).toEqual([null, undefined]);
  });

  it.each([
    ['sendrecv', 'a=sendonly', 'recvonly'],
    ['sendrecv', 'a=inactive', 'inactive'],
    ['sendonly', 'a=recvonly', 'sendonly'],
    ['sendonly', 'a=sendrecv', 'sendonly'],
    ['inactive', 'a=sendrecv', 'inactive'],
  ] as const)('offer %s, answer %s: our direction is %s', (direction, attribute, ours) => {
    const outcome = acceptAnswer(
      sdp('m=audio 6000 RTP/AVP 0', attribute),
      createOffer({ ...OURS, direction }),
    );
    expect(outcome.accepted && outcome.media.direction).toBe(ours);
  });

  it.each([
    [sdp('m=audio 0 RTP/AVP 0'), 'media line disabled'],
    [sdp('m=audio 6000 RTP/AVP 18'), 'no common codec'],
    [sdp(), 'answer and offer differ in the number of media lines'],
    [
      sdp('m=audio 6000 RTP/AVP 0', 'm=video 0 RTP/AVP 96'),
      'answer and offer differ in the number of media lines',
    ],
    [sdp('m=video 6000 RTP/AVP 0'), 'not audio'],
    ['', 'sdp does not start with v=0'],
  ])('fails: %#', (answer, reason) => {
    expect(acceptAnswer(answer, offer)).toEqual({ accepted: false, reason });
  });

  it('agrees with the media of the answerer', () => {
    const outcome = answerOffer(offer, { address: '192.0.2.99', port: 7000, sessionId: 9 });
    if (!outcome.accepted) throw new Error(outcome.reason);
    expect(parseSdp(outcome.answer).ok).toBe(true);
    const ours = acceptAnswer(outcome.answer, offer);
    expect(ours).toMatchObject({ accepted: true, media: { codec: outcome.media.codec, rtcpMux: true } });
  });
});

describe('the answer to a carrier', () => {
  it.each([
    ['8 0 101', 'PCMA'],
    ['0 8 101', 'PCMU'],
    ['18 97 0', 'PCMU'],
  ])('answers an offer of %s with the one codec that it sends, and key events', (offered, codec) => {
    const outcome = answerOffer(
      offerOf(
        `m=audio 4000 RTP/AVP ${offered}`,
        'a=rtpmap:97 opus/48000/2',
        'a=rtpmap:101 telephone-event/8000',
      ),
      OURS,
    );
    if (!outcome.accepted) throw new Error(outcome.reason);
    const lines = outcome.answer.split('\r\n');
    const types = /RTP\/AVP (.*)/.exec(lines.find((line) => line.startsWith('m=')) ?? '')?.[1]?.split(' ');
    const mapped = lines.flatMap((line) => /^a=rtpmap:(\d+) (\S+?)\//.exec(line)?.slice(1, 3) ?? []);
    expect(outcome.media.codec.name).toBe(codec);
    // One codec and the key events, each with its rtpmap, and nothing else.
    expect(mapped.filter((_, n) => n % 2 === 0)).toEqual(types);
    expect(mapped.filter((_, n) => n % 2 === 1 && mapped[n] !== 'telephone-event')).toEqual([codec]);
  });

  it('refuses an offer without a codec of ours', () => {
    expect(answerOffer(offerOf('m=audio 4000 RTP/AVP 18'), OURS).accepted).toBe(false);
  });
});
