import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARRIER_KINDS, type CarrierKind } from '../../../shared/carrier-kinds.ts';
import { DIALECTS } from './dialect.ts';

const parse = (message: object, kind: CarrierKind = 'twilio'): unknown =>
  DIALECTS[kind].parse(Buffer.from(JSON.stringify(message)));
/** Messages as Twilio documents them. */
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
const OTHERS = {
  connected: { event: 'connected', protocol: 'Call', version: '1.0.0' },
  dtmf: {
    event: 'dtmf',
    streamSid: 'MZ0',
    sequenceNumber: '5',
    dtmf: { track: 'inbound_track', digit: '1' },
  },
  mark: { event: 'mark', sequenceNumber: '4', streamSid: 'MZ0', mark: { name: 'my label' } },
  stop: {
    event: 'stop',
    sequenceNumber: '5',
    stop: { accountSid: 'AC0', callSid: 'CA0' },
    streamSid: 'MZ0',
  },
};
/** Messages as Plivo documents them. */
const PLIVO = {
  start: {
    sequenceNumber: 0,
    event: 'start',
    start: {
      callId: 'ce6e9d6e-0000-4000-8000-000000000000',
      streamId: 'b77e037d-0000-4000-8000-000000000000',
      accountId: '10000000',
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000 },
    },
    extra_headers: '{}',
  },
  media: {
    sequenceNumber: 2,
    streamId: 'b77e037d-0000-4000-8000-000000000000',
    event: 'media',
    media: { track: 'inbound', timestamp: '1720000000000', chunk: 2, payload: 'no+JhoaJjpzS' },
    extra_headers: '{}',
  },
  dtmf: {
    event: 'dtmf',
    sequenceNumber: 5,
    streamId: 'b77e037d-0000-4000-8000-000000000000',
    dtmf: { track: 'inbound', digit: '3', timestamp: '1720000000000' },
    extra_headers: '{}',
  },
  playedStream: {
    sequenceNumber: 6,
    event: 'playedStream',
    streamId: 'b77e037d-0000-4000-8000-000000000000',
    name: 'customer greeting audio',
  },
  clearedAudio: {
    sequenceNumber: 7,
    event: 'clearedAudio',
    streamId: 'b77e037d-0000-4000-8000-000000000000',
  },
};
const ULAW = Buffer.from('no+JhoaJjpzS', 'base64');

describe('messages of carriers', () => {
  it('are read as Twilio documents them', () => {
    expect(parse(OTHERS.connected)).toEqual({ type: 'other' });
    expect(parse(START)).toEqual({
      type: 'started',
      streamId: 'MZ00000000000000000000000000000000',
      callId: 'CA00000000000000000000000000000000',
    });
    expect(parse(MEDIA)).toEqual({ type: 'audio', chunk: 1, ulaw: ULAW });
    expect(parse(OTHERS.dtmf)).toEqual({ type: 'key', digit: '1' });
    expect(parse(OTHERS.mark)).toEqual({ type: 'marked', name: 'my label' });
    expect(parse(OTHERS.stop)).toEqual({ type: 'stopped' });
  });

  it.each(['plivo', 'vobiz'] as const)('are read as Plivo documents them, of %s', (kind) => {
    expect(Object.values(PLIVO).map((message) => parse(message, kind))).toEqual([
      {
        type: 'started',
        streamId: 'b77e037d-0000-4000-8000-000000000000',
        callId: 'ce6e9d6e-0000-4000-8000-000000000000',
      },
      { type: 'audio', chunk: 2, ulaw: ULAW },
      { type: 'key', digit: '3' },
      { type: 'marked', name: 'customer greeting audio' },
      { type: 'other' },
    ]);
  });

  it('have audio of the caller only, and no other codec than µ-law', () => {
    expect(parse({ ...MEDIA, media: { ...MEDIA.media, track: 'outbound' } })).toEqual({ type: 'other' });
    const mediaFormat = { encoding: 'audio/x-l16', sampleRate: 16_000, channels: 1 };
    expect(parse({ ...START, start: { ...START.start, mediaFormat } })).toBeNull();
    expect(parse({ ...PLIVO.start, start: { ...PLIVO.start.start, mediaFormat } }, 'plivo')).toBeNull();
  });

  it('are refused when a field is missing or of another type', () => {
    const bad = [
      { event: 'media' },
      { event: 'media', media: { payload: 1 } },
      { event: 'start', start: { streamSid: 'MZ0', streamId: 'MZ0' } },
      { event: 'dtmf', dtmf: { digit: '12' } },
      { event: 7 },
      [],
    ];
    for (const kind of CARRIER_KINDS) expect(bad.map((one) => parse(one, kind))).toEqual(bad.map(() => null));
    expect(parse({ event: 'mark', mark: { name: '' } })).toBeNull();
    expect(parse({ event: 'playedStream', name: 7 }, 'plivo')).toBeNull();
    expect(DIALECTS.twilio.parse(Buffer.from('{'))).toBeNull();
  });

  it.each(CARRIER_KINDS)('of %s never throw, whatever a connection sends', (kind) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((text) => Buffer.from(text)),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          expect(() => DIALECTS[kind].parse(bytes)).not.toThrow();
        },
      ),
    );
  });

  it.each(CARRIER_KINDS)('of %s are read without a throw in 100,000 mutations of the samples', (kind) => {
    const samples = [START, MEDIA, ...Object.values(OTHERS), ...Object.values(PLIVO)].map((message) =>
      Buffer.from(JSON.stringify(message)),
    );
    let seed = 1;
    const below = (limit: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const types = new Set<string | undefined>();
    for (let left = 100_000; left > 0; left -= 1) {
      const bytes = Buffer.from(samples[below(samples.length)] ?? '');
      for (let changes = 1 + below(3); changes > 0; changes -= 1) bytes[below(bytes.length)] = below(256);
      types.add(DIALECTS[kind].parse(bytes.subarray(0, bytes.length - below(2)))?.type);
    }
    expect(types).toContain('audio');
    expect(types).toContain(undefined);
  });

  it('are written as Twilio documents them', () => {
    const { media, mark, clear } = DIALECTS.twilio;
    const written = [media('MZ0', Buffer.from([1, 2])), mark('MZ0', 'a'), clear('MZ0')];
    expect(written.map((text) => JSON.parse(text) as unknown)).toEqual([
      { event: 'media', streamSid: 'MZ0', media: { payload: 'AQI=' } },
      { event: 'mark', streamSid: 'MZ0', mark: { name: 'a' } },
      { event: 'clear', streamSid: 'MZ0' },
    ]);
  });

  it.each([
    ['plivo', {}],
    ['vobiz', { streamId: 's' }],
  ] as const)('are written as the vendor documents them, for %s', (kind, audio) => {
    const { media, mark, clear } = DIALECTS[kind];
    const written = [media('s', Buffer.from([1, 2])), mark('s', 'a'), clear('s')];
    expect(written.map((text) => JSON.parse(text) as unknown)).toEqual([
      {
        event: 'playAudio',
        ...audio,
        media: { contentType: 'audio/x-mulaw', sampleRate: 8000, payload: 'AQI=' },
      },
      { event: 'checkpoint', streamId: 's', name: 'a' },
      { event: 'clearAudio', streamId: 's' },
    ]);
  });
});
