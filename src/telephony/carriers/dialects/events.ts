import type { AudioFormat } from '../audio-format.ts';
import { nameOf, objectOf, parseObject, type Json } from '../json.ts';
import type { Dialect, StreamEvent } from './messages.ts';
import { digitOf } from './digit.ts';

/** Where carriers with events in JSON differ. */
interface Differences {
  /** The name of the field with the event. */
  readonly event: string;
  /** Names of the ids in `start`, or in the object `within` it. */
  readonly within?: string;
  readonly streamId: string;
  readonly callId: string;
  /** Formats of the caller's audio by the names that the carrier has for them. */
  readonly encodings: Readonly<Record<string, AudioFormat>>;
  /** The event that reports a mark, and where its name is. */
  readonly mark: { readonly event: string; nameIn(message: Json): unknown } | null;
  readonly write: Omit<Dialect, 'parse'>;
}

const OTHER = { type: 'other' } as const;
const ULAW = { 'audio/x-mulaw': 'ulaw', mulaw: 'ulaw', PCMU: 'ulaw' } as const;
const nameInMark = (message: Json): unknown => objectOf(message['mark'])?.['name'];
const base64 = (bytes: Buffer): string => bytes.toString('base64');

/** Twilio Media Streams (twilio.com/docs/voice/media-streams/websocket-messages), which SignalWire has, too. */
const twilioDifferences: Differences = {
  event: 'event',
  streamId: 'streamSid',
  callId: 'callSid',
  encodings: ULAW,
  mark: { event: 'mark', nameIn: nameInMark },
  write: {
    format: 'ulaw',
    chunkMs: 20,
    media: (streamSid, bytes) =>
      JSON.stringify({ event: 'media', streamSid, media: { payload: base64(bytes) } }),
    mark: (streamSid, name) => JSON.stringify({ event: 'mark', streamSid, mark: { name } }),
    clear: (streamSid) => JSON.stringify({ event: 'clear', streamSid }),
    end: null,
  },
};
export const twilio = dialectOf(twilioDifferences);

/** Smartflo (docs.smartflo.tatatelebusiness.com): chunks are numbered, also those that it plays. */
const smartfloDifferences: Differences = {
  ...twilioDifferences,
  write: {
    ...twilioDifferences.write,
    media: (streamSid, bytes, chunk) =>
      JSON.stringify({ event: 'media', streamSid, media: { payload: base64(bytes), chunk } }),
  },
};
export const smartflo = dialectOf(smartfloDifferences);

/** Acefone: the same, and a message that ends the call. */
export const acefone = dialectOf({
  ...smartfloDifferences,
  write: {
    ...smartfloDifferences.write,
    end: (streamSid) => JSON.stringify({ event: 'end', streamSid }),
  },
});

/** Telnyx media streaming (developers.telnyx.com): the caller's audio has the codec of the telephone network. */
export const telnyx = dialectOf({
  event: 'event',
  streamId: 'stream_id',
  callId: 'call_control_id',
  encodings: { ...ULAW, PCMA: 'alaw', 'audio/x-alaw': 'alaw' },
  mark: { event: 'mark', nameIn: nameInMark },
  write: {
    format: 'ulaw',
    chunkMs: 20,
    media: (_streamId, bytes) => JSON.stringify({ event: 'media', media: { payload: base64(bytes) } }),
    mark: (_streamId, name) => JSON.stringify({ event: 'mark', mark: { name } }),
    clear: () => JSON.stringify({ event: 'clear' }),
    end: null,
  },
});

/** Exotel AgentStream (developer.exotel.com/docs/agentstream): linear audio in messages of 3,200 bytes and more. */
export const exotel = dialectOf({
  event: 'event',
  streamId: 'stream_sid',
  callId: 'call_sid',
  encodings: { 'audio/x-raw': 'l16', base64: 'l16', 'raw/slin': 'l16', 'audio/x-l16': 'l16' },
  mark: { event: 'mark', nameIn: nameInMark },
  write: {
    format: 'l16',
    chunkMs: 200,
    media: (stream_sid, bytes) =>
      JSON.stringify({ event: 'media', stream_sid, media: { payload: base64(bytes) } }),
    mark: (stream_sid, name) => JSON.stringify({ event: 'mark', stream_sid, mark: { name } }),
    clear: (stream_sid) => JSON.stringify({ event: 'clear', stream_sid }),
    end: null,
  },
});

/** Plivo audio streaming (plivo.com/docs/voice-agents/audio-streaming). It sends no `stop`. */
const plivoDifferences: Differences = {
  event: 'event',
  streamId: 'streamId',
  callId: 'callId',
  encodings: ULAW,
  mark: { event: 'playedStream', nameIn: (message) => message['name'] },
  write: {
    format: 'ulaw',
    chunkMs: 20,
    media: (_streamId, bytes) => playAudio({}, bytes, 'audio/x-mulaw'),
    mark: (streamId, name) => JSON.stringify({ event: 'checkpoint', streamId, name }),
    clear: (streamId) => JSON.stringify({ event: 'clearAudio', streamId }),
    end: null,
  },
};
export const plivo = dialectOf(plivoDifferences);

/** Vobiz: as Plivo, but every command names its stream. */
export const vobiz = dialectOf({
  ...plivoDifferences,
  write: {
    ...plivoDifferences.write,
    media: (streamId, bytes) => playAudio({ streamId }, bytes, 'audio/x-mulaw'),
  },
});

/** Bandwidth StartStream (dev.bandwidth.com/docs/voice/programmable-voice/bxml/startStream): no keys and no marks. */
export const bandwidth = dialectOf({
  event: 'eventType',
  within: 'metadata',
  streamId: 'streamId',
  callId: 'callId',
  encodings: ULAW,
  mark: null,
  write: {
    format: 'ulaw',
    chunkMs: 20,
    media: (_streamId, bytes) =>
      JSON.stringify({
        eventType: 'playAudio',
        media: { contentType: 'audio/pcmu', payload: base64(bytes) },
      }),
    mark: null,
    clear: () => JSON.stringify({ eventType: 'clear' }),
    end: null,
  },
});

function playAudio(stream: object, bytes: Buffer, contentType: string): string {
  return JSON.stringify({
    event: 'playAudio',
    ...stream,
    media: { contentType, sampleRate: 8_000, payload: base64(bytes) },
  });
}

function dialectOf(differences: Differences): Dialect {
  const { mark, write, event: named } = differences;
  return {
    ...write,
    parse(data, isBinary) {
      const message = isBinary ? null : parseObject(data);
      if (message === null || typeof message[named] !== 'string') return null;
      const event = message[named];
      if (event === 'media') return audioOf(message, objectOf(message['media']));
      if (event === 'start') return startOf(differences, message);
      if (event === 'stop') return { type: 'stopped' };
      if (event === 'dtmf') {
        const digit = digitOf(objectOf(message['dtmf'])?.['digit'] ?? message['digit']);
        return digit === null ? null : { type: 'key', digit };
      }
      if (event !== mark?.event) return OTHER;
      const name = nameOf(mark.nameIn(message));
      return name === null ? null : { type: 'marked', name };
    },
  };
}

function startOf(names: Differences, message: Json): StreamEvent | null {
  const whole = objectOf(message['start']);
  const start = names.within === undefined ? whole : objectOf(message[names.within] ?? whole?.[names.within]);
  if (start === null) return null;
  const streamId = nameOf(start[names.streamId] ?? message[names.streamId]);
  const callId = nameOf(start[names.callId]);
  if (streamId === null || callId === null) return null;
  const media = objectOf(start['mediaFormat'] ?? start['media_format']) ?? {};
  const encoding = media['encoding'] ?? Object.keys(names.encodings)[0];
  const rate = media['sampleRate'] ?? media['sample_rate'] ?? 8_000;
  const format = typeof encoding === 'string' ? names.encodings[encoding] : undefined;
  return format !== undefined && Number(rate) === 8_000
    ? { type: 'started', streamId, callId, format }
    : null;
}

function audioOf(message: Json, media: Json | null): StreamEvent | null {
  const payload = media?.['payload'] ?? message['payload'];
  if (typeof payload !== 'string') return null;
  const track = media?.['track'] ?? message['track'] ?? 'inbound';
  if (track !== 'inbound' && track !== 'inbound_track') return OTHER;
  const chunk = Number(media?.['chunk']);
  return {
    type: 'audio',
    chunk: Number.isSafeInteger(chunk) && chunk >= 0 ? chunk : null,
    bytes: Buffer.from(payload, 'base64'),
  };
}
