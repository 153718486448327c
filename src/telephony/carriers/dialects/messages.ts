import type { DtmfDigit } from '@callwright/audio';
import type { AudioFormat } from '../audio-format.ts';

/** What a carrier says over the WebSocket of a call. */
export type StreamEvent =
  /** The stream begins: its id, the carrier's id of the call (null: it names none), and the format of the caller's audio. */
  | {
      readonly type: 'started';
      readonly streamId: string;
      readonly callId: string | null;
      readonly format: AudioFormat;
    }
  /** Audio of the caller. `chunk` counts from 1; null: the carrier does not number it. */
  | { readonly type: 'audio'; readonly chunk: number | null; readonly bytes: Buffer }
  | { readonly type: 'key'; readonly digit: DtmfDigit }
  /** What was sent before the mark has been played, or was cleared. */
  | { readonly type: 'marked'; readonly name: string }
  /** The call, or its stream, is over. */
  | { readonly type: 'stopped' }
  /** The carrier cannot carry the call on. */
  | { readonly type: 'failed' }
  /** An event that changes nothing, such as `connected`. */
  | { readonly type: 'other' };

/** The messages of one carrier's streams: texts, and audio in binary messages where it is a Buffer. Pure. */
export interface Dialect {
  /** Reads a message of the carrier; null: it is none of the protocol, or its audio is in no known format. Never throws. */
  readonly parse: (data: Buffer, isBinary: boolean) => StreamEvent | null;
  /** The format of what the carrier plays. */
  readonly format: AudioFormat;
  /** Audio in one message, ms: a multiple of 20. */
  readonly chunkMs: number;
  /** The longest lead of what was sent before what is heard, ms; absent: that of every carrier. */
  readonly leadMs?: number;
  /** Audio for the caller. `chunk` counts from 1. */
  readonly media: (streamId: string, bytes: Buffer, chunk: number) => string | Buffer;
  /** Has the carrier report when everything before it has been played; null: it reports nothing. */
  readonly mark: ((streamId: string, name: string) => string) | null;
  /** Drops what the carrier has not played yet; null: the protocol cannot, and it is heard. */
  readonly clear: (streamId: string) => string | null;
  /** Ends the call; null: the carrier ends it when the connection closes. */
  readonly end: ((streamId: string) => string | Buffer) | null;
}
