import type { Language } from '@callwright/language';
import type { Expected } from '@callwright/turns';
import type { SttEvent, SttOptions, SttWord } from '../ports/recogniser.ts';
import type { VendorFault } from '../wire/fault.ts';
import type { Fields } from '@callwright/fields';
import type { WireFormat } from './wire-audio.ts';

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

/** A vendor event; audio times count from the first sample of this connection. */
export type SttVendorEvent =
  /** Audio may be sent. */
  | { type: 'ready' }
  /** Keep-alive; `audioMs`: the vendor has processed audio up to here. */
  | { type: 'alive'; audioMs?: number | null }
  | { type: 'fault'; fault: VendorFault }
  | Untimed<Exclude<SttEvent, { type: 'failed' | 'switched' }>>;

/**
 * Silence after our gate's end of speech before an utterance is committed: pauses between words are shorter, and a vendor
 * hears each committed piece alone, without the words around it.
 */
export const COMMIT_MS = 160;

export type WireMessage = string | Uint8Array;

/** The protocol of one streaming recogniser: pure, one per connection. */
export interface SttDialect {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The requested model; null: the server's only one. */
  readonly model: string | null;
  readonly format: WireFormat;
  /** The vendor greets; without a greeting, audio is sent once the connection is open. */
  readonly greets: boolean;
  /** When the vendor sends messages: for all audio, only after the end of speech, or irregularly. */
  readonly answers: 'always' | 'after-speech' | 'sometimes';
  /** Opening messages. */
  begin?(): readonly WireMessage[];
  audio(chunk: Uint8Array): WireMessage;
  speechStarted?(): readonly WireMessage[];
  /** Ends the utterance, after `endMs` of silence by our own gate; absent: at once. */
  speechEnded?(): readonly WireMessage[];
  readonly endMs?: number;
  expect?(expected: Expected | null): readonly WireMessage[];
  /** Throws on a message that it cannot read. */
  receive(message: string): readonly SttVendorEvent[];
  /** Fault of a vendor-specific close code; null: the standard one. */
  closeFault?(code: number, reason: string): VendorFault | null;
  /** Closing messages. */
  readonly end: readonly string[];
}

/** One vendor's recogniser. */
export interface SttVendor {
  readonly name: string;
  understands(language: Language): boolean;
  connect(options: Omit<SttOptions, 'onEvent'>): SttDialect;
}

/** The vendor's address as a WebSocket URL. */
export const socketUrl = (baseUrl: string, path: string): URL =>
  new URL(path, `${baseUrl.replace(/^http/, 'ws')}/`);

/** Words with their times; older servers send words without. */
export function timedWords(holder: Fields, name = 'words'): { words?: SttWord[] } {
  const words = holder.list(name).flatMap((word) => {
    const [startMs, endMs] = [word.seconds('start'), word.seconds('end')];
    const text = word.text('punctuated_word') || word.text('word');
    return startMs === null || endMs === null || text === '' ? [] : [{ text, startMs, endMs }];
  });
  return words.length === 0 ? {} : { words };
}
