import type { Language } from '@callwright/language';
import type { TtsOptions } from '../ports/voice.ts';
import type { VendorFault } from '../wire/fault.ts';
import type { SpeechFormat } from './speech-decoder.ts';

/** A word as a vendor times it: its end in ms of the context's audio. */
export interface TimedWord {
  readonly text: string;
  readonly endMs: number;
}

/** A vendor event. Contexts have the names given to `say`. */
export type TtsVendorEvent =
  /** Sentences may be sent. */
  | { type: 'ready' }
  | { type: 'alive' }
  /** Audio of the context's oldest unfinished sentence. */
  | { type: 'audio'; context: string; bytes: Uint8Array }
  | { type: 'words'; context: string; words: readonly TimedWord[] }
  /** The oldest sentence is complete. */
  | { type: 'sentence_done'; context: string }
  /** The context and its sentences are complete. */
  | { type: 'context_done'; context: string }
  /** Concerns one context, or (null) the connection. */
  | { type: 'fault'; context: string | null; fault: VendorFault };

/** The protocol of one speech vendor: pure, one per connection. */
export interface TtsDialect {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly format: SpeechFormat;
  /** The vendor greets; without a greeting, sentences are sent once the connection is open. */
  readonly greets: boolean;
  /** Parallel contexts per connection, including ones being cancelled. */
  readonly contexts: number;
  /** Opening messages. */
  begin?(): readonly string[];
  /** `options`: the voice of this sentence; its key is the connection's. */
  say(context: string, text: string, options: TtsOptions): readonly string[];
  end(context: string): readonly string[];
  /** Null: only closing the connection stops the vendor. */
  cancel(context: string): readonly string[] | null;
  /** True when an ended or cancelled context is finished; absent: the vendor sends an end event. */
  isOver?(context: string): boolean;
  /** Keeps a context, or the connection (null), open while it waits for text; sent every 10 s. */
  keepAlive?(context: string | null): readonly string[];
  /** Throws on a message that it cannot read. */
  receive(message: string | Buffer): readonly TtsVendorEvent[];
  /** Fault of a vendor-specific close code; null: the standard one. */
  closeFault?(code: number, reason: string): VendorFault | null;
  /** Closing messages. */
  readonly bye: readonly string[];
}

/** One vendor's voices over WebSocket. */
export interface TtsVendor {
  readonly name: string;
  /** Model name in usage records. */
  readonly model: string;
  speaks(language: Language): boolean;
  /** Sentences with equal keys share connections. */
  key(options: TtsOptions): string;
  connect(options: TtsOptions): TtsDialect;
}

/** The voice in a key `<vendor>:<voice>`; null: the key belongs to another engine. */
export const voiceOf = (vendor: string, voiceKey: string): string | null =>
  voiceKey.startsWith(`${vendor}:`) ? voiceKey.slice(vendor.length + 1) : null;
