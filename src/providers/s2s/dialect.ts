import type { S2sVendorName, VendorSettings } from '../../vendors/catalogue.ts';
import type { BrainContext, ModelUsage } from '../ports/model.ts';
import type { SttOptions } from '../ports/recogniser.ts';
import type { TtsOptions } from '../ports/voice.ts';
import type { WireFormat } from '../stt/wire-audio.ts';
import type { SpeechFormat } from '../tts/speech-decoder.ts';
import type { VendorFault } from '../wire/fault.ts';

/** What a message of the vendor says. Replies carry the names that `reply` and `say` gave them. */
export type S2sNews =
  /** Audio may be sent. */
  | { readonly type: 'ready' }
  | { readonly type: 'alive' }
  | { readonly type: 'fault'; readonly fault: VendorFault }
  /** Messages that waited for this one. */
  | { readonly type: 'send'; readonly messages: readonly string[] }
  /** The vendor hears the caller. */
  | { readonly type: 'speech' }
  /** The caller's turn is over; its words may follow. */
  | { readonly type: 'turn_ended'; readonly turn: string }
  /** There was no speech to end. */
  | { readonly type: 'nothing' }
  /** The words of a turn so far, or all of them; null: they could not be transcribed. */
  | { readonly type: 'words'; readonly turn: string; readonly text: string | null; readonly isFinal: boolean }
  /** A reply that was not asked for. */
  | { readonly type: 'began'; readonly reply: string }
  | { readonly type: 'audio'; readonly reply: string; readonly bytes: Uint8Array }
  /** Further words of a reply; they may come before or after their audio. */
  | { readonly type: 'text'; readonly reply: string; readonly text: string }
  | {
      readonly type: 'tool';
      readonly reply: string;
      readonly id: string;
      readonly name: string;
      readonly args: Record<string, unknown>;
    }
  /** Not `isWhole`: it was stopped. */
  | { readonly type: 'done'; readonly reply: string; readonly isWhole: boolean }
  /** What a reply cost; it may come after its end. */
  | { readonly type: 'used'; readonly reply: string; readonly usage: ModelUsage }
  /** The vendor ends the connection in `ms`, and the conversation may go on at a new one. */
  | { readonly type: 'leaving'; readonly ms: number };

/** What a reply answers: the caller, the result of a tool, or a silence. */
export type S2sCue = 'caller' | 'tool' | 'silence';

/** A line of the conversation. */
export interface S2sLineOfTalk {
  readonly role: 'caller' | 'agent';
  readonly text: string;
}

/** The protocol of one speech-to-speech vendor: pure, one per call. */
export interface S2sDialect {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How the caller's audio goes up, and speech comes down. */
  readonly up: WireFormat;
  readonly down: SpeechFormat;
  /** It replies to each turn of the caller without being asked. */
  readonly repliesItself: boolean;
  /** Sent first. */
  begin(): readonly string[];
  audio(chunk: Uint8Array): string;
  /** The caller has been silent for long: ends the turn. Empty: only the vendor does. */
  endTurn(): readonly string[];
  /** A line that the vendor has not heard becomes part of its conversation. */
  add(role: 'caller' | 'agent', text: string): readonly string[];
  toolResult(id: string, name: string, result: unknown): readonly string[];
  /** Asks for a reply. */
  reply(name: string, cue: S2sCue): readonly string[];
  /** Has a line read aloud as it is. */
  say(name: string, text: string): readonly string[];
  cancel(name: string): readonly string[];
  /** Only the first `audioMs` of a reply were heard. */
  truncate(name: string, audioMs: number): readonly string[];
  /** Nothing of a reply was heard. */
  forget(name: string): readonly string[];
  /** A new connection follows, and `begin` is sent there. True: the vendor still knows the conversation. */
  renew(): boolean;
  /** The vendor no longer knows the conversation: the next `begin` opens another one. */
  forgetSession(): void;
  /** Puts the lines so far into a new conversation. */
  retell(lines: readonly S2sLineOfTalk[]): readonly string[];
  /** Throws on a message that it cannot read. */
  receive(message: string): readonly S2sNews[];
}

/** What a connection needs to know of its call. */
export interface S2sTalk {
  readonly context: BrainContext;
  readonly hearing: Omit<SttOptions, 'onEvent'>;
  readonly voice: TtsOptions;
}

/** One vendor. */
export interface S2sVendor {
  readonly vendor: S2sVendorName;
  /** As it is named in records and faults. */
  readonly name: string;
  readonly model: string;
  connect(talk: S2sTalk): S2sDialect;
}

export type OpenS2sVendor = (settings: VendorSettings) => S2sVendor;

/** How a vendor is told to read a line. */
export const READ_ALOUD =
  'Say exactly the words between the marks, in their language, and nothing before or after them: ';

export const readAloudRequest = (text: string): string => `${READ_ALOUD}«${text.replaceAll(/[«»]/gu, '')}»`;
