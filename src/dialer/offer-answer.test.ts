import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerOffer, createOffer } from '@callwright/sip';
import { describedBy, dialogs, OURS, play } from '../../test/helpers/sip/offer-answer-dialogs.ts';
import { violations } from '../../test/helpers/sip/offer-answer-rules.ts';

describe('the offer/answer model (RFC 3264)', () => {
  it('has no violation in 200 dialogs of holds of both sides, codecs, addresses, lines and offers of either side', () => {
    fc.assert(
      fc.property(dialogs, (dialog) => {
        const { said } = play(dialog);
        expect(violations(said, 'us')).toEqual([]);
        // The generator keeps the rules, too.
        expect(violations(said, 'peer')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('is held by a checker that sees each violation', () => {
    const offer = createOffer(OURS);
    const theirs = describedBy(
      { address: '192.0.2.9', port: 4000, codecs: ['0'], events: null, direction: 'sendonly', video: 'none' },
      1,
      ['audio', 'video'],
    );
    const answer = (sdp: string): string[] => violations([{ by: 'us', sdp, answers: theirs }], 'us');
    const good = answerOffer(theirs, OURS);
    const sdp = good.accepted ? good.answer : '';
    expect(answer(sdp)).toEqual([]);
    expect(answer(sdp.replace('recvonly', 'sendrecv'))).toEqual(['sendrecv answers sendonly']);
    expect(answer(sdp.replace(/m=video.*\r\n/, ''))).toEqual(['1 lines answer 2']);
    expect(answer(sdp.replace('RTP/AVP 0', 'RTP/AVP 8'))).toEqual([
      'line 0 has formats that were not offered',
    ]);
    const later = (next: string): string[] =>
      violations(
        [offer, next].map((one) => ({ by: 'us', sdp: one, answers: null })),
        'us',
      );
    expect(later(offer)).toEqual([]);
    expect(later(offer.replace('sendrecv', 'inactive'))).toEqual(['the version of o= rises by 0']);
    expect(later(offer.replace(' 77 1 ', ' 78 2 '))).toEqual(['o= names another session']);
    expect(later(offer.replace(/m=audio[^]*/, '').replace(' 77 1 ', ' 77 2 '))).toEqual([
      'a line of the session is gone',
    ]);
  });
});
