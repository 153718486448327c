import {
  audio,
  NO_MESSAGE,
  OTHER_STREAM,
  PLIVO_WIRE,
  TWILIO_WIRE,
  type FakeCommand,
  type FakeEvent,
  type FakeWire,
} from '../twilio/wire.ts';
import { AUDIOSOCKET_WIRE } from './audiosocket.ts';

const ERROR: FakeCommand = { type: 'error', code: NO_MESSAGE };
const nothing = (): object => ({});

/** Smartflo: chunks that it plays are numbered and have multiples of 160 bytes. */
const SMARTFLO_WIRE: FakeWire = {
  ...TWILIO_WIRE,
  read(message, ids) {
    const { event, media } = message;
    const isMedia = event === 'media' && media?.payload !== undefined;
    const isWhole = isMedia && Buffer.from(media.payload ?? '', 'base64').length % 160 === 0;
    if (isMedia && (typeof media.chunk !== 'number' || !isWhole)) return ERROR;
    return TWILIO_WIRE.read(message, ids);
  },
};

const ACEFONE_WIRE: FakeWire = {
  ...SMARTFLO_WIRE,
  read: (message, ids) => (message.event === 'end' ? { type: 'end' } : SMARTFLO_WIRE.read(message, ids)),
};

/** Telnyx: the caller's audio comes in A-law, as from networks outside North America. */
const TELNYX_WIRE: FakeWire = {
  ...TWILIO_WIRE,
  sends: 'alaw',
  begin: ({ streamId: stream_id, callId: call_control_id }) => {
    const media_format = { encoding: 'PCMA', sample_rate: 8000, channels: 1 };
    return [
      { event: 'connected', rest: { version: '1.0.0' } },
      { event: 'start', rest: { start: { call_control_id, media_format }, stream_id } },
    ];
  },
  common: ({ streamId: stream_id }) => ({ stream_id }),
  key: (digit) => ({ event: 'dtmf', rest: { occurred_at: '2026-01-01T00:00:00Z', dtmf: { digit } } }),
  stop: ({ callId: call_control_id }) => ({ event: 'stop', rest: { stop: { call_control_id } } }),
  read({ event, media, mark }) {
    if (event === 'media' && media?.payload !== undefined) return audio(media.payload);
    if (event === 'mark' && mark?.name !== undefined) return { type: 'mark', name: mark.name };
    return event === 'clear' ? { type: 'clear' } : ERROR;
  },
};

/** Exotel: linear audio, and none in messages of less than 3,200 bytes or of other than multiples of 320. */
const EXOTEL_WIRE: FakeWire = {
  ...TWILIO_WIRE,
  sends: 'l16',
  plays: 'l16',
  begin: ({ streamId: stream_sid, callId: call_sid, account: account_sid }) => {
    const media_format = { encoding: 'base64', sample_rate: '8000', bit_rate: '128kbps' };
    const start = {
      stream_sid,
      call_sid,
      account_sid,
      from: '',
      to: '',
      custom_parameters: {},
      media_format,
    };
    return [
      { event: 'connected', rest: {} },
      { event: 'start', rest: { start } },
    ];
  },
  common: ({ streamId: stream_sid }) => ({ stream_sid }),
  key: (digit) => ({ event: 'dtmf', rest: { dtmf: { duration: '100', digit } } }),
  stop: ({ callId: call_sid }) => ({ event: 'stop', rest: { stop: { call_sid, reason: 'callended' } } }),
  read({ event, stream_sid, media, mark }, { streamId }) {
    if (stream_sid !== streamId) return { type: 'error', code: OTHER_STREAM };
    if (event === 'media' && media?.payload !== undefined) {
      const command = audio(media.payload);
      const bytes = command.type === 'audio' ? command.bytes.length : 0;
      return bytes < 3_200 || bytes % 320 !== 0 ? ERROR : command;
    }
    if (event === 'mark' && mark?.name !== undefined) return { type: 'mark', name: mark.name };
    return event === 'clear' ? { type: 'clear' } : ERROR;
  },
};

/** Bandwidth: no keys and no marks. */
const BANDWIDTH_WIRE: FakeWire = {
  begin: ({ streamId, callId, account: accountId }) => {
    const metadata = { accountId, callId, streamId, streamName: 's', tracks: [{ name: 'inbound' }] };
    return [{ event: 'start', rest: { metadata } }];
  },
  common: nothing,
  text: ({ event, rest }) => JSON.stringify({ eventType: event, ...rest }),
  media: (bytes) => ({ event: 'media', rest: { track: 'inbound', payload: bytes.toString('base64') } }),
  key: () => null,
  mark: () => null,
  cleared: null,
  stop: () => ({ event: 'stop', rest: {} }),
  read({ eventType, media }) {
    if (eventType === 'playAudio' && media?.payload !== undefined) return audio(media.payload);
    return eventType === 'clear' ? { type: 'clear' } : ERROR;
  },
};

const rest = ({ rest: fields }: FakeEvent): string => JSON.stringify(fields);

/** Vonage: binary audio; the header names the call where the service set it. */
const VONAGE_WIRE: FakeWire = {
  sends: 'l16',
  plays: 'l16',
  begin: () => [
    { event: 'websocket:connected', rest: { 'content-type': 'audio/l16;rate=8000', prop: 'value' } },
  ],
  common: nothing,
  text: ({ event, rest: fields }) => JSON.stringify({ event, ...fields }),
  media: (bytes) => bytes,
  key: (digit) => ({ event: 'websocket:dtmf', rest: { digit, duration: 260 } }),
  mark: (mark) => ({ event: 'websocket:notify', rest: { payload: { mark } } }),
  cleared: 'websocket:cleared',
  stop: () => null,
  read({ action, payload }) {
    if (action === 'notify' && payload?.mark !== undefined) return { type: 'mark', name: payload.mark };
    return action === 'clear' ? { type: 'clear' } : ERROR;
  },
};

/** The verb `listen` of jambonz. */
const JAMBONZ_WIRE: FakeWire = {
  sends: 'l16',
  plays: 'l16',
  begin: ({ callId: callSid, account: accountSid }) => [
    { event: '', rest: { callSid, accountSid, direction: 'inbound', sampleRate: 8000, mixType: 'mono' } },
  ],
  common: nothing,
  text: rest,
  media: (bytes) => bytes,
  key: (dtmf) => ({ event: '', rest: { event: 'dtmf', dtmf, duration: '1600' } }),
  mark: (name) => ({ event: '', rest: { type: 'mark', data: { name, event: 'playout' } } }),
  cleared: null,
  stop: () => null,
  read({ type, data }) {
    if (type === 'mark' && data?.name !== undefined) return { type: 'mark', name: data.name };
    if (type === 'disconnect') return { type: 'end' };
    return type === 'killAudio' ? { type: 'clear' } : ERROR;
  },
};

/** The WebSocket channel of Asterisk with plain control messages. */
const ASTERISK_WIRE: FakeWire = {
  begin: ({ streamId, callId }) => [
    {
      event: 'MEDIA_START',
      rest: {
        connection_id: streamId,
        channel: 'WebSocket/callwright/0x1',
        channel_id: callId,
        format: 'ulaw',
        optimal_frame_size: '160',
        ptime: '20',
      },
    },
  ],
  common: nothing,
  text: ({ event, rest: fields }) =>
    [event, ...Object.entries(fields).map(([name, value]) => `${name}:${String(value)}`)].join(' '),
  media: (bytes) => bytes,
  key: (digit) => ({ event: 'DTMF_END', rest: { digit } }),
  mark: (name) => ({ event: 'MEDIA_MARK_PROCESSED', rest: { correlation_id: name } }),
  cleared: null,
  stop: () => null,
  read: () => ERROR,
  readPlain(text) {
    const [command, name] = text.split(' ');
    if (command === 'MARK_MEDIA' && name !== undefined) return { type: 'mark', name };
    if (command === 'HANGUP') return { type: 'end' };
    return command === 'FLUSH_MEDIA' ? { type: 'clear' } : ERROR;
  },
};

/** The messages of every carrier's streams, as the carrier writes and reads them; `audiosocket`: of a trunk of kind asterisk. */
export const CARRIER_WIRES = {
  twilio: TWILIO_WIRE,
  signalwire: TWILIO_WIRE,
  telnyx: TELNYX_WIRE,
  plivo: PLIVO_WIRE,
  vobiz: PLIVO_WIRE,
  exotel: EXOTEL_WIRE,
  vonage: VONAGE_WIRE,
  smartflo: SMARTFLO_WIRE,
  acefone: ACEFONE_WIRE,
  bandwidth: BANDWIDTH_WIRE,
  jambonz: JAMBONZ_WIRE,
  asterisk: ASTERISK_WIRE,
  audiosocket: AUDIOSOCKET_WIRE,
} as const satisfies Readonly<Record<string, FakeWire>>;

export type FakeCarrierKind = keyof typeof CARRIER_WIRES;
export const FAKE_CARRIER_KINDS = Object.keys(CARRIER_WIRES) as FakeCarrierKind[];
