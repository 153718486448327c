import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptAnswer, answerOffer, createOffer } from './offer-answer.ts';
import { hostNamesOf, isHostName, withAddresses } from './host-names.ts';

const sdp = (...lines: string[]): string => ['v=0', 'o=- 1 1 IN IP4 a.example', ...lines, ''].join('\r\n');

describe('host names in c=', () => {
  it('are found in session and media lines, each once, whatever the case', () => {
    const offer = sdp(
      'c=IN IP4 Media.Example',
      'm=audio 4000 RTP/AVP 0',
      'm=audio 4002 RTP/AVP 0',
      'c=IN IP6 media.example.',
      'c=IN IP4 media.example',
      'c=IN IP4 192.0.2.1',
    );
    expect(hostNamesOf(offer)).toEqual(['media.example', 'media.example.']);
    expect(hostNamesOf(offer.replaceAll('\r\n', '\n'))).toEqual(['media.example', 'media.example.']);
  });

  it.each(['a', 'pbx-1', 'media.example', 'media.example.', 'a_b.example', '1.2.3.com'])(
    '%j is one',
    (name) => expect(isHostName(name)).toBe(true),
  );
  it.each([
    '',
    '.',
    '192.0.2.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    'a..b',
    '::1',
    'a b',
    'a/24',
    'ä.example',
  ])('%j is none', (name) => expect(isHostName(name)).toBe(false));

  it('get the first address of the family that the line names', () => {
    const found: Record<string, string[]> = {
      'both.example': ['2001:db8::7', '192.0.2.7', '192.0.2.8'],
      'six.example': ['2001:db8::6'],
    };
    const written = withAddresses(
      sdp(
        'c=IN IP4 Both.example',
        'm=audio 1 RTP/AVP 0',
        'c=IN IP6 both.example',
        'c=IN IP4 six.example',
        'a=c=IN IP4 both.example',
      ),
      (name) => found[name] ?? [],
    );
    expect(written).toBe(
      sdp(
        'c=IN IP4 192.0.2.7',
        'm=audio 1 RTP/AVP 0',
        'c=IN IP6 2001:db8::7',
        'c=IN IP4 six.example',
        'a=c=IN IP4 both.example',
      ),
    );
  });

  it('without an address are the reason why an offer or an answer is refused', () => {
    const named = sdp('c=IN IP4 gone.example', 't=0 0', 'm=audio 4000 RTP/AVP 0');
    const ours = { address: '192.0.2.1', port: 4000, sessionId: 1 };
    const reason = 'no address for gone.example in c=';
    expect(answerOffer(named, ours)).toEqual({ accepted: false, refuse: 488, reason });
    expect(acceptAnswer(named, createOffer({ ...ours, version: 1 }))).toEqual({ accepted: false, reason });
    const found = withAddresses(named, () => ['192.0.2.9']);
    expect(answerOffer(found, ours)).toMatchObject({ media: { remoteAddress: '192.0.2.9' } });
  });

  it('change nothing else of a session description', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('c=IN IP4 media.example', 'c=IN IP4 192.0.2.1', 'c=IN IP6 ::1', 'c=IN IP4 10.1'),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\r\n');
        const written = withAddresses(text, () => ['192.0.2.7']);
        expect(withAddresses(text, () => [])).toBe(text);
        expect(hostNamesOf(written).filter((name) => name === 'media.example')).toEqual([]);
        expect(hostNamesOf(text).length > 0 || written === text).toBe(true);
      }),
    );
  });
});
