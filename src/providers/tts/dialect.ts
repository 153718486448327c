import type { Language } from '@callwright/language';
import type { TtsOptions } from '../ports/voice.ts';
import type { VendorFault } from '../wire/fault.ts';
import type { SpeechFormat } from './speech-decoder.ts';

/** A word as a vendor times it: its end in ms of the context's audio. */
export interface TimedWord {
  readonly text: string;
  readonly endMs: number;
}

/** What a message of the vendor says. Contexts carry the names that `say` gave them. */
export type TtsNews =
  /** Sentences may be sent. */
  | { type: 'ready' }
  | { type: 'alive' }
  /** Audio of the context's oldest sentence that is not done. */
  | { type: 'audio'; context: string; bytes: Uint8Array }
  | { type: 'words'; context: string; words: readonly TimedWord[] }
  /** The oldest sentence is whole. */
  | { type: 'sentence_done'; context: string }
  /** The context is over, and its sentences are whole. */
  | { type: 'context_done'; context: string }
  /** Of one context, or of the connection. */
  | { type: 'fault'; context: string | null; fault: VendorFault };

/** The protocol of one speech vendor: pure, one per connection. */
export interface TtsDialect {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly format: SpeechFormat;
  /** The vendor speaks first; otherwise sentences are sent as soon as the connection is open. */
  readonly greets: boolean;
  /** Contexts at once on a connection, with those that are being cancelled. */
  readonly contexts: number;
  /** Sent first. */
  begin?(): readonly string[];
  /** `options`: the voice of this sentence; its key is the connection's. */
  say(context: string, text: string, options: TtsOptions): readonly string[];
  end(context: string): readonly string[];
  /** Null: only closing the connection stops the vendor. */
  cancel(context: string): readonly string[] | null;
  /** After its end or cancellation: the vendor has nothing more to say of the context. Absent: the vendor tells. */
  isOver?(context: string): boolean;
  /** Keeps a context, or the connection (null), that waits for text; sent every 10 s. */
  keepAlive?(context: string | null): readonly string[];
  /** Throws on a message that it cannot read. */
  receive(message: string | Buffer): readonly TtsNews[];
  /** The fault of a close code of the vendor's own; null: the usual one. */
  closeFault?(code: number, reason: string): VendorFault | null;
  /** Sent before the connection is closed. */
  readonly bye: readonly string[];
}

/** One vendor's voices over WebSocket. */
export interface TtsVendor {
  readonly name: string;
  /** The model of its usage. */
  readonly model: string;
  speaks(language: Language): boolean;
  /** Sentences with equal keys share connections. */
  key(options: TtsOptions): string;
  connect(options: TtsOptions): TtsDialect;
}

/** The voice of a key `<vendor>:<voice>`; null: it is another engine's. */
export const voiceOf = (vendor: string, voiceKey: string): string | null =>
  voiceKey.startsWith(`${vendor}:`) ? voiceKey.slice(vendor.length + 1) : null;
