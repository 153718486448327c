import type { Language } from '@callwright/language';
import type { Expected } from '@callwright/turns';
import type { SttEvent, SttOptions, SttWord } from '../ports/recogniser.ts';
import type { VendorFault } from '../wire/fault.ts';
import type { Fields } from '@callwright/fields';
import type { WireFormat } from './wire-audio.ts';

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

/** What a message of the vendor says; audio times count from the first sample of this connection. */
export type SttNews =
  /** Audio may be sent. */
  | { type: 'ready' }
  /** The vendor has nothing new; `audioMs`: it heard up to here. */
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
  /** The model that is asked for; null: the server has its own. */
  readonly model: string | null;
  readonly format: WireFormat;
  /** The vendor speaks first; otherwise audio is sent as soon as the connection is open. */
  readonly greets: boolean;
  /** Messages come all the time while audio is sent, or only after the end of speech. */
  readonly answers: 'always' | 'after-speech' | 'sometimes';
  /** Sent first. */
  begin?(): readonly WireMessage[];
  audio(chunk: Uint8Array): WireMessage;
  speechStarted?(): readonly WireMessage[];
  /** Ends the utterance, after `endMs` of silence by our own gate; absent: at once. */
  speechEnded?(): readonly WireMessage[];
  readonly endMs?: number;
  expect?(expected: Expected | null): readonly WireMessage[];
  /** Throws on a message that it cannot read. */
  receive(message: string): readonly SttNews[];
  /** The fault of a close code of the vendor's own; null: the usual one. */
  closeFault?(code: number, reason: string): VendorFault | null;
  /** Sent before the connection is closed. */
  readonly end: readonly string[];
}

/** One vendor's recogniser. */
export interface SttVendor {
  readonly name: string;
  understands(language: Language): boolean;
  connect(options: Omit<SttOptions, 'onEvent'>): SttDialect;
}

/** The vendor's address with the scheme of sockets. */
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
