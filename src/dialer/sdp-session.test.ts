import { describe, expect, it } from 'vitest';
import { acceptAnswer, answerOffer, createOffer } from '../telephony/sdp/offer-answer.ts';
import type { NegotiatedMedia } from '../telephony/media.ts';
import { renegotiation } from './sdp-session.ts';

const OURS = { address: '192.0.2.1', port: 20_000, sessionId: 7 };
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

describe('renegotiation', () => {
  it('offers all codecs and sendrecv after a hold, and takes the answer from the ACK', () => {
    const media: NegotiatedMedia[] = [];
    const first = createOffer({ ...OURS, version: 1 });
    const session = renegotiation({ createOffer, acceptAnswer, answerOffer }, OURS, first, (m) =>
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
