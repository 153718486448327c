/** What the service says over the stream of a call. */
export type FakeCommand =
  | { readonly type: 'audio'; readonly ulaw: Buffer }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' }
  /** An error of the carrier's catalogue. */
  | { readonly type: 'error'; readonly code: number };

export interface FakeStreamIds {
  readonly streamId: string;
  readonly callId: string;
  readonly account: string;
}

/** The messages of one carrier's streams, as the carrier writes and reads them. */
export interface FakeWire {
  /** The messages that begin a stream; `event` and its number are added. */
  begin(ids: FakeStreamIds): { readonly event: string; readonly rest: object }[];
  /** With every message beside the event. */
  common(ids: FakeStreamIds): object;
  mark(name: string): { readonly event: string; readonly rest: object };
  /** Null: the carrier confirms no `clear`. */
  readonly cleared: string | null;
  /** Null: the connection closes without a message. */
  stop(ids: FakeStreamIds): { readonly event: string; readonly rest: object } | null;
  read(message: FakeMessage, ids: FakeStreamIds): FakeCommand;
}

export interface FakeMessage {
  readonly event?: string;
  readonly streamSid?: string;
  readonly streamId?: string;
  readonly name?: string;
  readonly media?: { readonly payload?: string };
  readonly mark?: { readonly name?: string };
}

/** Error 31921: a message of another stream; 31924: none of the protocol. */
const OTHER_STREAM = 31_921;
const NO_MESSAGE = 31_924;

const audio = (payload: string): FakeCommand => ({ type: 'audio', ulaw: Buffer.from(payload, 'base64') });

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
