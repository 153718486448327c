import { expect, it } from 'vitest';
import { acceptAnswer, answerOffer, createOffer } from './offer-answer.ts';

const OURS = { address: '192.0.2.1', port: 20_000, sessionId: 1, version: 1, codecs: ['OPUS', 'PCMU'] };
const theirs = (...lines: readonly string[]): string =>
  [
    'v=0',
    'o=them 1 1 IN IP4 192.0.2.9',
    's=-',
    'c=IN IP4 192.0.2.9',
    't=0 0',
    'm=audio 6000 RTP/AVP 96 0',
    'a=rtpmap:96 opus/48000/2',
    ...lines,
    '',
  ].join('\r\n');

it.each([
  ['a=fmtp:96 maxaveragebitrate=16000;useinbandfec=1', { maxBitrate: 16_000, usesFec: true }],
  ['a=fmtp:96  CBR=1 ; usedtx=1;stereo=0', { isConstant: true, skipsPauses: true }],
  ['a=fmtp:96 cbr=0;usedtx=0;useinbandfec=0', {}],
  ['a=fmtp:96 maxaveragebitrate=-5;useinbandfec=yes', {}],
  ['a=fmtp:96 maxaveragebitrate=999999999999', {}],
  ['a=fmtp:961 useinbandfec=1', {}],
  ['a=fmtp:96', {}],
  ['a=ptime:20', {}],
])('%s of the far side is followed in its offer and in its answer', (line, opus) => {
  const offered = answerOffer(theirs(line), OURS);
  expect(offered.accepted && offered.media.codec).toEqual({
    name: 'OPUS',
    payloadType: 96,
    clockRate: 48_000,
    opus,
  });
  const answered = acceptAnswer(theirs(line), createOffer(OURS));
  expect(answered.accepted && answered.media.codec.opus).toEqual(opus);
});

it('asks for packets of 20 ms, at most 60, only where the line has Opus', () => {
  const times = (sdp: string): string[] => sdp.split('\r\n').filter((line) => /^a=(?:max)?ptime/.test(line));
  expect(times(createOffer(OURS))).toEqual(['a=ptime:20', 'a=maxptime:60']);
  expect(times(createOffer({ ...OURS, codecs: ['PCMU'] }))).toEqual(['a=ptime:20']);
  const taken = answerOffer(theirs('a=ptime:60'), OURS);
  expect(taken.accepted && times(taken.answer)).toEqual(['a=ptime:20', 'a=maxptime:60']);
  const narrow = answerOffer(theirs('a=ptime:60'), { ...OURS, codecs: ['PCMU'] });
  expect(narrow.accepted && times(narrow.answer)).toEqual(['a=ptime:60']);
});
