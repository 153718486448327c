import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { preconditionState, withPreconditions } from './preconditions.ts';

const sdp = (...attributes: string[]): string =>
  [
    'v=0',
    'o=- 1 1 IN IP4 192.0.2.9',
    's=-',
    'c=IN IP4 192.0.2.9',
    't=0 0',
    'm=audio 4000 RTP/AVP 0',
    ...attributes,
  ]
    .map((line) => `${line}\r\n`)
    .join('');
const qos = (local: string, strength = 'mandatory'): string[] => [
  `a=curr:qos local ${local}`,
  'a=curr:qos remote none',
  `a=des:qos ${strength} local sendrecv`,
  'a=des:qos mandatory remote sendrecv',
];

describe('preconditions of an offer', () => {
  test('the caller has reserved, has not, or need not', () => {
    expect(preconditionState(sdp(...qos('sendrecv')))).toBe('met');
    expect(preconditionState(sdp(...qos('none')))).toBe('unmet');
    expect(preconditionState(sdp(...qos('send')))).toBe('unmet');
    expect(preconditionState(sdp(...qos('none', 'optional')))).toBe('met');
    expect(preconditionState(sdp())).toBe('none');
    expect(preconditionState('no SDP')).toBe('none');
  });
  test('end to end, or of another type, none that is mandatory can be met', () => {
    expect(preconditionState(sdp('a=curr:qos e2e none', 'a=des:qos mandatory e2e sendrecv'))).toBe(
      'impossible',
    );
    expect(preconditionState(sdp('a=curr:qos e2e none', 'a=des:qos optional e2e sendrecv'))).toBe('met');
    expect(preconditionState(sdp('a=curr:sec e2e none', 'a=des:sec mandatory e2e sendrecv'))).toBe(
      'impossible',
    );
    expect(preconditionState(sdp('a=des:sec optional e2e sendrecv'))).toBe('none');
  });
  test('our answer has our side met, the caller mirrored, and asks it to confirm', () => {
    const answer = withPreconditions(sdp(...qos('send')), sdp('a=sendrecv'));
    expect(answer.slice(sdp('a=sendrecv').length)).toBe(
      [
        'a=curr:qos local sendrecv',
        'a=curr:qos remote recv',
        'a=des:qos mandatory local sendrecv',
        'a=des:qos mandatory remote sendrecv',
        'a=conf:qos remote sendrecv',
        '',
      ].join('\r\n'),
    );
    expect(withPreconditions(sdp(...qos('sendrecv')), sdp())).not.toContain('a=conf');
  });
  test('a refused media line and an offer without preconditions leave the answer unchanged', () => {
    const refused = sdp().replace('4000', '0');
    expect(withPreconditions(sdp(...qos('none')), refused)).toBe(refused);
    expect(withPreconditions(sdp(), sdp())).toBe(sdp());
  });
  test('whatever a peer writes, our answer reads as met at its side, and only grows', () => {
    const direction = fc.constantFrom('none', 'send', 'recv', 'sendrecv');
    const line = fc.oneof(
      fc
        .tuple(fc.constantFrom('local', 'remote', 'e2e'), direction)
        .map((one) => `a=curr:qos ${one.join(' ')}`),
      fc
        .tuple(
          fc.constantFrom('mandatory', 'optional', 'none', 'failure', 'unknown'),
          fc.constantFrom('local', 'remote', 'e2e'),
          direction,
        )
        .map((one) => `a=des:qos ${one.join(' ')}`),
      fc.string({ maxLength: 20 }).map((text) => `a=des:${text.replaceAll(/[\r\n]/g, '')}`),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const state = preconditionState(sdp(...lines));
        const answer = withPreconditions(sdp(...lines), sdp());
        expect(answer.startsWith(sdp())).toBe(true);
        const isSilent = state === 'none' || state === 'impossible';
        expect(answer === sdp()).toBe(isSilent);
        expect(preconditionState(answer)).toBe(isSilent ? 'none' : 'met');
        expect(answer.includes('a=conf')).toBe(state === 'unmet');
      }),
      { numRuns: 500 },
    );
  });
});
