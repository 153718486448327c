import type { S2sVendorName, VendorSettings } from '../../vendors/catalogue.ts';
import type { BrainContext, ModelUsage } from '../ports/model.ts';
import type { SttOptions } from '../ports/recogniser.ts';
import type { TtsOptions } from '../ports/voice.ts';
import type { WireFormat } from '../stt/wire-audio.ts';
import type { SpeechFormat } from '../tts/speech-decoder.ts';
import type { VendorFault } from '../wire/fault.ts';

/** A vendor event. Replies have the names given to `reply` and `say`. */
export type S2sEvent =
  /** Audio may be sent. */
  | { readonly type: 'ready' }
  | { readonly type: 'alive' }
  | { readonly type: 'fault'; readonly fault: VendorFault }
  /** Messages that were held back until this event. */
  | { readonly type: 'send'; readonly messages: readonly string[] }
  /** The vendor detected speech of the caller. */
  | { readonly type: 'speech' }
  /** The caller's turn is over; its words may follow. */
  | { readonly type: 'turn_ended'; readonly turn: string }
  /** The vendor found no speech in the turn. */
  | { readonly type: 'nothing' }
  /** Transcript of a turn, partial or final; null: transcription failed. */
  | { readonly type: 'words'; readonly turn: string; readonly text: string | null; readonly isFinal: boolean }
  /** An unsolicited reply starts. */
  | { readonly type: 'began'; readonly reply: string }
  | { readonly type: 'audio'; readonly reply: string; readonly bytes: Uint8Array }
  /** Next words of a reply; they may precede or follow their audio. */
  | { readonly type: 'text'; readonly reply: string; readonly text: string }
  | {
      readonly type: 'tool';
      readonly reply: string;
      readonly id: string;
      readonly name: string;
      readonly args: Record<string, unknown>;
    }
  /** A reply ends; `isWhole` is false if it was cut off. */
  | { readonly type: 'done'; readonly reply: string; readonly isWhole: boolean }
  /** Token use of a reply; may arrive after its end. */
  | { readonly type: 'used'; readonly reply: string; readonly usage: ModelUsage }
  /** The vendor closes the connection in `ms` (GoAway); a new connection can continue the conversation. */
  | { readonly type: 'going_away'; readonly ms: number };

/** What a reply responds to: the caller, a tool result, or silence. */
export type ReplyCause = 'caller' | 'tool' | 'silence';

/** One utterance of the conversation. */
export interface S2sUtterance {
  readonly role: 'caller' | 'agent';
  readonly text: string;
}

/** The protocol of one speech-to-speech vendor: pure, one per call. */
export interface S2sDialect {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Formats of the caller's audio and of the vendor's speech. */
  readonly up: WireFormat;
  readonly down: SpeechFormat;
  /** The vendor replies to each caller turn without a request. */
  readonly repliesItself: boolean;
  /** Opening messages. */
  begin(): readonly string[];
  audio(chunk: Uint8Array): string;
  /** Ends the caller's turn after a long silence; empty: only the vendor ends turns. */
  endTurn(): readonly string[];
  /** Adds an utterance that the vendor has not heard to its conversation. */
  add(role: 'caller' | 'agent', text: string): readonly string[];
  toolResult(id: string, name: string, result: unknown): readonly string[];
  /** Requests a reply. */
  reply(name: string, cause: ReplyCause): readonly string[];
  /** Speaks text verbatim. */
  say(name: string, text: string): readonly string[];
  cancel(name: string): readonly string[];
  /** Truncates a reply to the first `audioMs`, which the caller heard. */
  truncate(name: string, audioMs: number): readonly string[];
  /** Deletes a reply that the caller did not hear. */
  deleteReply(name: string): readonly string[];
  /** Prepares a new connection, which starts with `begin`. True: the vendor resumes its session there. */
  renew(): boolean;
  /** Drops the session handle: the next `begin` opens a new session. */
  dropSession(): void;
  /** Replays the utterances so far into a new session. */
  replay(lines: readonly S2sUtterance[]): readonly string[];
  /** Throws on a message that it cannot read. */
  receive(message: string): readonly S2sEvent[];
}

/** The call data that a connection needs. */
export interface S2sConversation {
  readonly context: BrainContext;
  readonly hearing: Omit<SttOptions, 'onEvent'>;
  readonly voice: TtsOptions;
}

/** One vendor. */
export interface S2sVendor {
  readonly vendor: S2sVendorName;
  /** Name in records and faults. */
  readonly name: string;
  readonly model: string;
  connect(conversation: S2sConversation): S2sDialect;
}

export type OpenS2sVendor = (settings: VendorSettings) => S2sVendor;

/** Prompt for verbatim speech. */
export const READ_ALOUD =
  'Say exactly the words between the marks, in their language, and nothing before or after them: ';

export const readAloudRequest = (text: string): string => `${READ_ALOUD}«${text.replaceAll(/[«»]/gu, '')}»`;
