import type { DtmfDigit } from '@callwright/audio';

/**
 * The messages of a browser call's WebSocket. Binary: 20 ms of mono PCM16 (little-endian) at 16 kHz, both ways. Text:
 * one JSON object.
 */
export const WEB_CALL_PROTOCOL = 'callwright.1';
export const WEB_RATE = 16_000;
export const WEB_FRAME_SAMPLES = WEB_RATE / 50;
export const WEB_FRAME_BYTES = WEB_FRAME_SAMPLES * 2;
/** Longest text message, in bytes; a longer message of any kind ends the connection. */
export const MOST_TEXT_BYTES = 8_192;
const MOST_TYPED_CHARS = 2_000;

export type ClientMessage =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'dtmf'; readonly digit: DtmfDigit }
  | { readonly type: 'hangup' };

export type ServerMessage =
  /** `resume`: the token of the next connection, should this one be cut. */
  | {
      readonly type: 'ready';
      readonly call_id: string;
      readonly resume: string;
      readonly sample_rate: number;
    }
  /** A finished line of the transcript. */
  | {
      readonly type: 'line';
      readonly role: 'agent' | 'caller';
      readonly text: string;
      readonly by: 'speech' | 'keypad' | 'text';
      readonly interrupted: boolean;
    }
  /** Words of the caller as they are recognised, before their line; `final`: they no longer change. */
  | { readonly type: 'words'; readonly text: string; readonly final: boolean }
  /** Drop the audio that is not played yet. */
  | { readonly type: 'clear' }
  /** The agent pressed keys. */
  | { readonly type: 'keys'; readonly digits: string }
  /** The call is over; the connection closes. */
  | { readonly type: 'ended'; readonly reason: string };

const DIGITS = new Set('0123456789*#ABCD');

const isDigit = (text: string): text is DtmfDigit => text.length === 1 && DIGITS.has(text);

/** Reads a text message; null: it is none of the protocol. Never throws. */
export function parseClientMessage(bytes: Buffer): ClientMessage | null {
  if (bytes.length > MOST_TEXT_BYTES) return null;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { type, text, digit } = value as Readonly<Record<string, unknown>>;
  if (type === 'hangup') return { type };
  if (type === 'text' && typeof text === 'string') {
    const typed = storable(text).slice(0, MOST_TYPED_CHARS).trim();
    return typed === '' ? null : { type, text: typed };
  }
  return type === 'dtmf' && typeof digit === 'string' && isDigit(digit) ? { type, digit } : null;
}

/** Without control characters and unpaired surrogates, which a transcript cannot store. */
const storable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');
