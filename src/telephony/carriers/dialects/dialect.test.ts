import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARRIER_KINDS, type CarrierKind } from '../../../shared/carrier-kinds.ts';
import { DIALECTS } from './dialect.ts';
import { IS_NIGHTLY } from '../../../../test/helpers/service/nightly.ts';

const MUTATIONS = IS_NIGHTLY ? 100_000 : 10_000;

const parse = (message: object | string, kind: CarrierKind = 'twilio'): unknown =>
  DIALECTS[kind].parse(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), false);
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
const AUDIO = Buffer.from('no+JhoaJjpzS', 'base64');
const OTHER = { type: 'other' };
const started = (streamId: string, callId: string | null, format: string): object => ({
  type: 'started',
  streamId,
  callId,
  format,
});
/** Messages of the other carriers as their documents and open clients have them, and what each says. */
const SAMPLES: Readonly<Partial<Record<CarrierKind, readonly (readonly [object | string, unknown])[]>>> = {
  telnyx: [
    [{ event: 'connected', version: '1.0.0' }, OTHER],
    [
      {
        event: 'start',
        sequence_number: '1',
        start: {
          user_id: '3e6f995f-0000',
          call_control_id: 'v2:T02llQxIyaRkhfRKxgAP8nY511EhFLizdvdUKJiSw8d6A9BborherQ',
          client_state: 'aGF2ZSBhIG5pY2UgZGF5ID1d',
          media_format: { encoding: 'PCMA', sample_rate: 8000, channels: 1 },
        },
        stream_id: '32de0dea-0000',
      },
      started('32de0dea-0000', 'v2:T02llQxIyaRkhfRKxgAP8nY511EhFLizdvdUKJiSw8d6A9BborherQ', 'alaw'),
    ],
    [
      {
        event: 'media',
        sequence_number: '4',
        media: { track: 'inbound', chunk: '2', timestamp: '5', payload: 'no+JhoaJjpzS' },
        stream_id: '32de0dea-0000',
      },
      { type: 'audio', chunk: 2, bytes: AUDIO },
    ],
    [
      { event: 'dtmf', stream_id: 's', sequence_number: '5', dtmf: { digit: '1' } },
      { type: 'key', digit: '1' },
    ],
    [
      { event: 'mark', stream_id: 's', mark: { name: 'a' } },
      { type: 'marked', name: 'a' },
    ],
    [{ event: 'error', payload: { code: 100_002, title: 'unknown_error' } }, OTHER],
    [{ event: 'stop', stop: { call_control_id: 'v2:T' }, stream_id: 's' }, { type: 'stopped' }],
  ],
  exotel: [
    [{ event: 'connected' }, OTHER],
    [
      {
        event: 'start',
        sequence_number: 1,
        stream_sid: '9cbfdbaf',
        start: {
          stream_sid: '9cbfdbaf',
          call_sid: '224e0f66',
          account_sid: 'Exotel',
          from: '08000000000',
          to: '08000000001',
          custom_parameters: { name: 'foo' },
          media_format: { encoding: 'base64', sample_rate: '8000', bit_rate: '128kbps' },
        },
      },
      started('9cbfdbaf', '224e0f66', 'l16'),
    ],
    [
      { event: 'media', stream_sid: 's', media: { chunk: 2, timestamp: '10', payload: 'no+JhoaJjpzS' } },
      { type: 'audio', chunk: 2, bytes: AUDIO },
    ],
    [
      { event: 'dtmf', stream_sid: 's', dtmf: { duration: '10', digit: '#' } },
      { type: 'key', digit: '#' },
    ],
    [
      { event: 'mark', stream_sid: 's', mark: { name: 'a' } },
      { type: 'marked', name: 'a' },
    ],
    [{ event: 'stop', stop: { call_sid: 'c', reason: 'callended' } }, { type: 'stopped' }],
  ],
  bandwidth: [
    [
      {
        eventType: 'start',
        metadata: {
          accountId: '5555555',
          callId: 'c-2a913f94',
          streamId: 's-387b1bfc',
          streamName: 'stream1',
          tracks: [{ name: 'inbound', mediaFormat: { encoding: 'audio/PCMU', sampleRate: 8000 } }],
        },
      },
      started('s-387b1bfc', 'c-2a913f94', 'ulaw'),
    ],
    [
      { eventType: 'media', track: 'inbound', payload: 'no+JhoaJjpzS' },
      { type: 'audio', chunk: null, bytes: AUDIO },
    ],
    [{ eventType: 'stop', metadata: { callId: 'c' } }, { type: 'stopped' }],
  ],
  vonage: [
    [
      { event: 'websocket:connected', 'content-type': 'audio/l16;rate=8000', call_uuid: 'aaaa-bbbb' },
      started('aaaa-bbbb', 'aaaa-bbbb', 'l16'),
    ],
    [
      { event: 'websocket:connected', 'content-type': 'audio/l16;rate=8000', prop1: 'value1' },
      started('websocket', null, 'l16'),
    ],
    [{ event: 'websocket:connected', 'content-type': 'audio/l16;rate=16000' }, null],
    [
      { event: 'websocket:dtmf', digit: '5', duration: 260 },
      { type: 'key', digit: '5' },
    ],
    [{ event: 'websocket:cleared' }, OTHER],
    [
      { event: 'websocket:notify', payload: { mark: '7' } },
      { type: 'marked', name: '7' },
    ],
  ],
  jambonz: [
    [
      {
        callSid: 'df09e8d4',
        direction: 'inbound',
        from: '15083728299',
        to: '15083728298',
        sampleRate: 8000,
        mixType: 'mono',
      },
      started('df09e8d4', 'df09e8d4', 'l16'),
    ],
    [
      { event: 'dtmf', dtmf: '2', duration: '1600' },
      { type: 'key', digit: '2' },
    ],
    [
      { type: 'mark', data: { name: 'a', event: 'cleared' } },
      { type: 'marked', name: 'a' },
    ],
  ],
  asterisk: [
    [
      'MEDIA_START connection_id:media_connection1 channel:WebSocket/media_connection1/0x5140001a0040 channel_id:1761245643.1 format:ulaw optimal_frame_size:160 ptime:20',
      started('media_connection1', null, 'ulaw'),
    ],
    [
      { event: 'MEDIA_START', connection_id: 'm', channel_id: '1.1', format: 'ulaw', channel_variables: {} },
      started('m', null, 'ulaw'),
    ],
    ['MEDIA_START connection_id:m format:opus', null],
    ['DTMF_END duration_ms:80 digit:7', { type: 'key', digit: '7' }],
    ['MEDIA_MARK_PROCESSED correlation_id:4', { type: 'marked', name: '4' }],
    ['MEDIA_XOFF channel_id:1761245643.1', OTHER],
    [{ event: 'QUEUE_DRAINED', channel_id: '1.1' }, OTHER],
    ['no message', null],
  ],
};

describe('messages of carriers', () => {
  it('are read as Twilio documents them', () => {
    expect(parse(OTHERS.connected)).toEqual({ type: 'other' });
    expect(parse(START)).toEqual({
      type: 'started',
      streamId: 'MZ00000000000000000000000000000000',
      callId: 'CA00000000000000000000000000000000',
      format: 'ulaw',
    });
    expect(parse(MEDIA)).toEqual({ type: 'audio', chunk: 1, bytes: AUDIO });
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
        format: 'ulaw',
      },
      { type: 'audio', chunk: 2, bytes: AUDIO },
      { type: 'key', digit: '3' },
      { type: 'marked', name: 'customer greeting audio' },
      { type: 'other' },
    ]);
  });

  it.each(Object.keys(SAMPLES) as (keyof typeof SAMPLES)[])('are read as %s documents them', (kind) => {
    const samples = SAMPLES[kind] ?? [];
    expect(samples.map(([message]) => parse(message, kind))).toEqual(samples.map(([, read]) => read));
  });

  it.each(['vonage', 'jambonz', 'asterisk'] as const)('have binary audio, of %s', (kind) => {
    expect(DIALECTS[kind].parse(AUDIO, true)).toEqual({ type: 'audio', chunk: null, bytes: AUDIO });
    expect(DIALECTS.twilio.parse(AUDIO, true)).toBeNull();
    expect(DIALECTS[kind].media('s', AUDIO, 1)).toEqual(AUDIO);
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
    for (const kind of ['twilio', 'signalwire', 'telnyx', 'plivo', 'vobiz', 'exotel', 'smartflo'] as const)
      expect(bad.map((one) => parse(one, kind))).toEqual(bad.map(() => null));
    expect(parse({ event: 'mark', mark: { name: '' } })).toBeNull();
    expect(parse({ event: 'playedStream', name: 7 }, 'plivo')).toBeNull();
    expect(DIALECTS.twilio.parse(Buffer.from('{'), false)).toBeNull();
  });

  it.each(CARRIER_KINDS)('of %s never throw, whatever a connection sends', (kind) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((text) => Buffer.from(text)),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          for (const isBinary of [false, true])
            expect(() => DIALECTS[kind].parse(bytes, isBinary)).not.toThrow();
        },
      ),
    );
  });

  it.each(CARRIER_KINDS)(
    `of %s are read without a throw in ${MUTATIONS} mutations of the samples`,
    (kind) => {
      const others = Object.values(SAMPLES).flatMap((list) => list.map(([message]) => message));
      const samples = [START, MEDIA, ...Object.values(OTHERS), ...Object.values(PLIVO), ...others].map(
        (message) => Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
      );
      let seed = 1;
      const below = (limit: number): number => {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        return Math.floor((seed / 2 ** 32) * limit);
      };
      const types = new Set<string | undefined>();
      for (let left = MUTATIONS; left > 0; left -= 1) {
        const bytes = Buffer.from(samples[below(samples.length)] ?? '');
        for (let changes = 1 + below(3); changes > 0; changes -= 1) bytes[below(bytes.length)] = below(256);
        types.add(DIALECTS[kind].parse(bytes.subarray(0, bytes.length - below(2)), below(8) === 0)?.type);
      }
      expect(types).toContain('audio');
      expect(types).toContain(undefined);
    },
  );

  it.each([
    ['twilio', { event: 'media', streamSid: 's', media: { payload: 'AQI=' } }, 'mark'],
    ['telnyx', { event: 'media', media: { payload: 'AQI=' } }, 'mark'],
    ['exotel', { event: 'media', stream_sid: 's', media: { payload: 'AQI=' } }, 'mark'],
    ['smartflo', { event: 'media', streamSid: 's', media: { payload: 'AQI=', chunk: 3 } }, 'mark'],
    ['bandwidth', { eventType: 'playAudio', media: { contentType: 'audio/pcmu', payload: 'AQI=' } }, null],
    [
      'plivo',
      { event: 'playAudio', media: { contentType: 'audio/x-mulaw', sampleRate: 8000, payload: 'AQI=' } },
      'checkpoint',
    ],
    [
      'vobiz',
      {
        event: 'playAudio',
        streamId: 's',
        media: { contentType: 'audio/x-mulaw', sampleRate: 8000, payload: 'AQI=' },
      },
      'checkpoint',
    ],
  ] as const)('are written as %s documents them', (kind, audio, mark) => {
    const dialect = DIALECTS[kind];
    expect(JSON.parse(String(dialect.media('s', Buffer.from([1, 2]), 3)))).toEqual(audio);
    const marked = dialect.mark?.('s', 'a') ?? null;
    expect(marked === null ? null : (JSON.parse(marked) as { event: string }).event).toBe(mark);
    expect(dialect.clear('s')).toContain('clear');
  });

  it('end a call where closing the connection does not', () => {
    const ends = CARRIER_KINDS.flatMap((kind) => (DIALECTS[kind].end === null ? [] : [kind]));
    expect(ends).toEqual(['acefone', 'jambonz', 'asterisk']);
    expect([
      DIALECTS.asterisk.mark?.('s', '7'),
      DIALECTS.asterisk.clear('s'),
      DIALECTS.asterisk.end?.('s'),
    ]).toEqual(['MARK_MEDIA 7', 'FLUSH_MEDIA', 'HANGUP']);
  });
});
