import type { DtmfDigit } from '@callwright/audio';
import { nameOf, objectOf, parseObject, type Json } from './json.ts';

/**
 * Messages of Twilio Media Streams, JSON both ways (twilio.com/docs/voice/media-streams/websocket-messages). Audio is
 * base64 of µ-law at 8 kHz without a header.
 */
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

const DIGITS: ReadonlySet<unknown> = new Set('0123456789*#ABCD');
const OTHER = { type: 'other' } as const;

/** Reads a message of the carrier; null: it is none of the protocol, or its audio is not µ-law at 8 kHz. Never throws. */
export function parseStreamEvent(text: Buffer): StreamEvent | null {
  const message = parseObject(text);
  if (message === null || typeof message['event'] !== 'string') return null;
  const { event } = message;
  if (event === 'media') return audioOf(objectOf(message['media']));
  if (event === 'start') return startOf(message, objectOf(message['start']));
  if (event === 'stop') return { type: 'stopped' };
  if (event === 'dtmf') {
    const digit = objectOf(message['dtmf'])?.['digit'];
    return DIGITS.has(digit) ? { type: 'key', digit: digit as DtmfDigit } : null;
  }
  if (event !== 'mark') return OTHER;
  const name = nameOf(objectOf(message['mark'])?.['name']);
  return name === null ? null : { type: 'marked', name };
}

function startOf(message: Json, start: Json | null): StreamEvent | null {
  if (start === null) return null;
  const streamId = nameOf(start['streamSid'] ?? message['streamSid']);
  const callId = nameOf(start['callSid']);
  const format = objectOf(start['mediaFormat']);
  const { encoding = 'audio/x-mulaw', sampleRate = 8_000 } = format ?? {};
  if (streamId === null || callId === null) return null;
  return encoding === 'audio/x-mulaw' && Number(sampleRate) === 8_000
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

/** Audio for the caller, µ-law at 8 kHz. */
export const mediaMessage = (streamSid: string, ulaw: Buffer): string =>
  JSON.stringify({ event: 'media', streamSid, media: { payload: ulaw.toString('base64') } });

/** Has the carrier report when everything before it has been played. */
export const markMessage = (streamSid: string, name: string): string =>
  JSON.stringify({ event: 'mark', streamSid, mark: { name } });

/** Drops what the carrier has not played yet. */
export const clearMessage = (streamSid: string): string => JSON.stringify({ event: 'clear', streamSid });
