/** Audio at 8 kHz; `l16`: linear, the low byte first. */
export type FakeFormat = 'ulaw' | 'alaw' | 'l16';

/** What the service says over the stream of a call. */
export type FakeCommand =
  | { readonly type: 'audio'; readonly bytes: Buffer }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' }
  /** The service ends the call. */
  | { readonly type: 'end' }
  /** A message without an effect. */
  | { readonly type: 'other' }
  /** An error of the carrier's catalogue. */
  | { readonly type: 'error'; readonly code: number };

export interface FakeStreamIds {
  readonly streamId: string;
  readonly callId: string;
  readonly account: string;
}

/** The messages of one carrier's streams, as the carrier writes and reads them. */
export interface FakeWire {
  /** The format of the caller's audio, and of that of the agent; absent: µ-law. */
  readonly sends?: FakeFormat;
  readonly plays?: FakeFormat;
  /** The messages that begin a stream; `event` and its number are added. */
  begin(ids: FakeStreamIds): FakeEvent[];
  /** With every message beside the event. */
  common(ids: FakeStreamIds): object;
  /** Writes an event; absent: as an object with `event` and `sequenceNumber`. */
  text?(event: FakeEvent, sequence: number, ids: FakeStreamIds): string;
  /** Writes audio of the caller; absent: as the event `media` of Twilio. */
  media?(bytes: Buffer, chunk: number, sentMs: number): FakeEvent | Buffer;
  /** A key of the caller; absent: as Twilio. Null: the carrier sends no keys. */
  key?(digit: string): FakeEvent | null;
  /** Null: the carrier reports no marks. */
  mark(name: string): FakeEvent | null;
  /** Null: the carrier confirms no `clear`. */
  readonly cleared: string | null;
  /** Null: the connection closes without a message. */
  stop(ids: FakeStreamIds): FakeEvent | null;
  /** Reads a text of the service; binary messages are audio. */
  read(message: FakeMessage, ids: FakeStreamIds): FakeCommand;
  /** Reads texts that are no JSON; absent: there are none. */
  readPlain?(text: string): FakeCommand;
}

/** A message of the carrier. */
export interface FakeEvent {
  readonly event: string;
  readonly rest: object;
}

export interface FakeMessage {
  readonly event?: string;
  readonly eventType?: string;
  readonly action?: string;
  readonly type?: string;
  readonly payload?: { readonly mark?: string };
  readonly data?: { readonly name?: string };
  readonly stream_sid?: string;
  readonly streamSid?: string;
  readonly streamId?: string;
  readonly name?: string;
  readonly media?: { readonly payload?: string; readonly chunk?: number };
  readonly mark?: { readonly name?: string };
}

/** Error 31921: a message of another stream; 31924: none of the protocol. */
export const OTHER_STREAM = 31_921;
export const NO_MESSAGE = 31_924;

export const audio = (payload: string): FakeCommand => ({
  type: 'audio',
  bytes: Buffer.from(payload, 'base64'),
});

export const TWILIO_WIRE: FakeWire = {
  begin: ({ streamId: streamSid, callId: callSid, account: accountSid }) => {
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    const start = { accountSid, streamSid, callSid, tracks: ['inbound'], mediaFormat, customParameters: {} };
    return [
      { event: 'connected', rest: { protocol: 'Call', version: '1.0.0' } },
      { event: 'start', rest: { start } },
    ];
  },
  common: ({ streamId: streamSid }) => ({ streamSid }),
  mark: (name) => ({ event: 'mark', rest: { mark: { name } } }),
  cleared: null,
  stop: ({ account: accountSid, callId: callSid }) => ({
    event: 'stop',
    rest: { stop: { accountSid, callSid } },
  }),
  read(message, { streamId }) {
    const { event, streamSid, media, mark } = message;
    if (streamSid !== streamId) return { type: 'error', code: OTHER_STREAM };
    if (event === 'media' && media?.payload !== undefined) return audio(media.payload);
    if (event === 'mark' && mark?.name !== undefined) return { type: 'mark', name: mark.name };
    return event === 'clear' ? { type: 'clear' } : { type: 'error', code: NO_MESSAGE };
  },
};

export const PLIVO_WIRE: FakeWire = {
  begin: ({ streamId, callId, account: accountId }) => {
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000 };
    const start = { callId, streamId, accountId, tracks: ['inbound'], mediaFormat };
    return [{ event: 'start', rest: { start, extra_headers: '{}' } }];
  },
  common: ({ streamId }) => ({ streamId }),
  mark: (name) => ({ event: 'playedStream', rest: { name } }),
  cleared: 'clearedAudio',
  stop: () => null,
  read(message, ids) {
    const { event, streamId, media, name } = message;
    if (event === 'playAudio' && media?.payload !== undefined) return audio(media.payload);
    if (streamId !== ids.streamId) return { type: 'error', code: OTHER_STREAM };
    if (event === 'checkpoint' && name !== undefined) return { type: 'mark', name };
    return event === 'clearAudio' ? { type: 'clear' } : { type: 'error', code: NO_MESSAGE };
  },
};
