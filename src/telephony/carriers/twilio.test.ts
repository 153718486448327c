import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clearMessage, markMessage, mediaMessage, parseStreamEvent } from './twilio.ts';

const parse = (message: object): unknown => parseStreamEvent(Buffer.from(JSON.stringify(message)));
/** Messages as the vendor documents them. */
const START = {
  event: 'start',
  sequenceNumber: '1',
  start: {
    accountSid: 'AC00000000000000000000000000000000',
    streamSid: 'MZ00000000000000000000000000000000',
    callSid: 'CA00000000000000000000000000000000',
    tracks: ['inbound'],
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
    customParameters: { FirstName: 'Jane' },
  },
  streamSid: 'MZ00000000000000000000000000000000',
};
const MEDIA = {
  event: 'media',
  sequenceNumber: '3',
  media: { track: 'inbound', chunk: '1', timestamp: '5', payload: 'no+JhoaJjpzS' },
  streamSid: 'MZ00000000000000000000000000000000',
};

describe('messages of Twilio Media Streams', () => {
  it('are read as the vendor documents them', () => {
    expect(parse({ event: 'connected', protocol: 'Call', version: '1.0.0' })).toEqual({ type: 'other' });
    expect(parse(START)).toEqual({
      type: 'started',
      streamId: 'MZ00000000000000000000000000000000',
      callId: 'CA00000000000000000000000000000000',
    });
    expect(parse(MEDIA)).toEqual({ type: 'audio', chunk: 1, ulaw: Buffer.from('no+JhoaJjpzS', 'base64') });
    const dtmf = { track: 'inbound_track', digit: '1' };
    expect(parse({ event: 'dtmf', streamSid: 'MZ0', sequenceNumber: '5', dtmf })).toEqual({
      type: 'key',
      digit: '1',
    });
    expect(
      parse({ event: 'mark', sequenceNumber: '4', streamSid: 'MZ0', mark: { name: 'my label' } }),
    ).toEqual({ type: 'marked', name: 'my label' });
    const stop = { accountSid: 'AC0', callSid: 'CA0' };
    expect(parse({ event: 'stop', sequenceNumber: '5', stop, streamSid: 'MZ0' })).toEqual({
      type: 'stopped',
    });
  });

  it('have audio of the caller only, and no other codec than µ-law', () => {
    expect(parse({ ...MEDIA, media: { ...MEDIA.media, track: 'outbound' } })).toEqual({ type: 'other' });
    const mediaFormat = { encoding: 'audio/x-l16', sampleRate: 16_000, channels: 1 };
    expect(parse({ ...START, start: { ...START.start, mediaFormat } })).toBeNull();
  });

  it('are refused when a field is missing or of another type', () => {
    const bad = [
      { event: 'media' },
      { event: 'media', media: { payload: 1 } },
      { event: 'start', start: { streamSid: 'MZ0' } },
      { event: 'dtmf', dtmf: { digit: '12' } },
      { event: 'mark', mark: { name: '' } },
      { event: 7 },
      [],
    ];
    expect(bad.map(parse)).toEqual(bad.map(() => null));
    expect(parseStreamEvent(Buffer.from('{'))).toBeNull();
  });

  it('never throw, whatever a connection sends', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((text) => Buffer.from(text)),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          expect(() => parseStreamEvent(bytes)).not.toThrow();
        },
      ),
    );
  });

  it('are written as the vendor documents them', () => {
    const written = [mediaMessage('MZ0', Buffer.from([1, 2])), markMessage('MZ0', 'a'), clearMessage('MZ0')];
    expect(written.map((text) => JSON.parse(text) as unknown)).toEqual([
      { event: 'media', streamSid: 'MZ0', media: { payload: 'AQI=' } },
      { event: 'mark', streamSid: 'MZ0', mark: { name: 'a' } },
      { event: 'clear', streamSid: 'MZ0' },
    ]);
  });
});
