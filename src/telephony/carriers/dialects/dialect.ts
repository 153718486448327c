import type { DtmfDigit } from '@callwright/audio';
import type { CarrierKind } from '../../../shared/carrier-kinds.ts';
import { nameOf, objectOf, parseObject, type Json } from '../json.ts';

/** What a carrier says over the WebSocket of a call. Audio is µ-law at 8 kHz without a header. */
export type StreamEvent =
  /** The stream begins: its id, and the carrier's id of the call. */
  | { readonly type: 'started'; readonly streamId: string; readonly callId: string }
  /** Audio of the caller. `chunk` counts from 1; null: the carrier does not number it. */
  | { readonly type: 'audio'; readonly chunk: number | null; readonly ulaw: Buffer }
  | { readonly type: 'key'; readonly digit: DtmfDigit }
  /** What was sent before the mark has been played, or was cleared. */
  | { readonly type: 'marked'; readonly name: string }
  /** The call, or its stream, is over. */
  | { readonly type: 'stopped' }
  /** An event that changes nothing, such as `connected`. */
  | { readonly type: 'other' };

/** The messages of one carrier's streams. Pure. */
export interface Dialect {
  /** Reads a message of the carrier; null: it is none of the protocol, or its audio is not µ-law at 8 kHz. Never throws. */
  readonly parse: (text: Buffer) => StreamEvent | null;
  /** Audio for the caller. */
  readonly media: (streamId: string, ulaw: Buffer) => string;
  /** Has the carrier report when everything before it has been played. */
  readonly mark: (streamId: string, name: string) => string;
  /** Drops what the carrier has not played yet. */
  readonly clear: (streamId: string) => string;
}

/** Where carriers with events in JSON differ. */
interface Differences {
  /** Names in `start`. */
  readonly streamId: string;
  readonly callId: string;
  readonly encodings: readonly string[];
  /** The event that reports a mark, and where its name is. */
  readonly mark: { readonly event: string; nameIn(message: Json): unknown };
  readonly write: Pick<Dialect, 'media' | 'mark' | 'clear'>;
}

const DIGITS: ReadonlySet<unknown> = new Set('0123456789*#ABCD');
const OTHER = { type: 'other' } as const;

/** Twilio Media Streams (twilio.com/docs/voice/media-streams/websocket-messages). */
const twilio: Differences = {
  streamId: 'streamSid',
  callId: 'callSid',
  encodings: ['audio/x-mulaw'],
  mark: { event: 'mark', nameIn: (message) => objectOf(message['mark'])?.['name'] },
  write: {
    media: (streamSid, ulaw) =>
      JSON.stringify({ event: 'media', streamSid, media: { payload: ulaw.toString('base64') } }),
    mark: (streamSid, name) => JSON.stringify({ event: 'mark', streamSid, mark: { name } }),
    clear: (streamSid) => JSON.stringify({ event: 'clear', streamSid }),
  },
};

/** Plivo audio streaming (plivo.com/docs/voice-agents/audio-streaming), which Vobiz has, too. It sends no `stop`. */
const plivo: Differences = {
  streamId: 'streamId',
  callId: 'callId',
  encodings: ['audio/x-mulaw', 'mulaw'],
  mark: { event: 'playedStream', nameIn: (message) => message['name'] },
  write: {
    media: (_streamId, ulaw) =>
      JSON.stringify({
        event: 'playAudio',
        media: { contentType: 'audio/x-mulaw', sampleRate: 8_000, payload: ulaw.toString('base64') },
      }),
    mark: (streamId, name) => JSON.stringify({ event: 'checkpoint', streamId, name }),
    clear: (streamId) => JSON.stringify({ event: 'clearAudio', streamId }),
  },
};

/** Vobiz: every command names its stream. */
const vobiz: Differences = {
  ...plivo,
  write: {
    ...plivo.write,
    media: (streamId, ulaw) =>
      JSON.stringify({
        event: 'playAudio',
        streamId,
        media: { contentType: 'audio/x-mulaw', sampleRate: 8_000, payload: ulaw.toString('base64') },
      }),
  },
};

export const DIALECTS: Readonly<Record<CarrierKind, Dialect>> = {
  twilio: dialectOf(twilio),
  plivo: dialectOf(plivo),
  vobiz: dialectOf(vobiz),
};

function dialectOf(differences: Differences): Dialect {
  const { mark, write } = differences;
  return {
    ...write,
    parse(text) {
      const message = parseObject(text);
      if (message === null || typeof message['event'] !== 'string') return null;
      const { event } = message;
      if (event === 'media') return audioOf(objectOf(message['media']));
      if (event === 'start') return startOf(differences, message, objectOf(message['start']));
      if (event === 'stop') return { type: 'stopped' };
      if (event === 'dtmf') {
        const digit = objectOf(message['dtmf'])?.['digit'];
        return DIGITS.has(digit) ? { type: 'key', digit: digit as DtmfDigit } : null;
      }
      if (event !== mark.event) return OTHER;
      const name = nameOf(mark.nameIn(message));
      return name === null ? null : { type: 'marked', name };
    },
  };
}

function startOf(names: Differences, message: Json, start: Json | null): StreamEvent | null {
  if (start === null) return null;
  const streamId = nameOf(start[names.streamId] ?? message[names.streamId]);
  const callId = nameOf(start[names.callId]);
  const format = objectOf(start['mediaFormat']);
  const { encoding = names.encodings[0], sampleRate = 8_000 } = format ?? {};
  if (streamId === null || callId === null) return null;
  return names.encodings.some((one) => one === encoding) && Number(sampleRate) === 8_000
    ? { type: 'started', streamId, callId }
    : null;
}

function audioOf(media: Json | null): StreamEvent | null {
  const payload = media?.['payload'];
  if (media === null || typeof payload !== 'string') return null;
  if ((media['track'] ?? 'inbound') !== 'inbound') return OTHER;
  const chunk = Number(media['chunk']);
  const ulaw = Buffer.from(payload, 'base64');
  return { type: 'audio', chunk: Number.isSafeInteger(chunk) && chunk >= 0 ? chunk : null, ulaw };
}
