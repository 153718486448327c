import type { MessagePort } from 'node:worker_threads';
import type { Moved } from '../../shared/threads/moved.ts';
import type { SpeechEvent, SpeechRequest } from './synthesiser.ts';

/** The speech thread, as a thread with calls reaches it. */
export interface SpeechApi {
  speak(id: number, request: SpeechRequest): void;
  cancel(id: number): void;
}

/** What the speech thread sends to a thread with calls about an utterance. */
export interface SpeechEvents {
  audio(id: number, pcm: Moved<Int16Array<ArrayBuffer>>): void;
  /** How far it is, or how it ended. */
  progress(id: number, event: Exclude<SpeechEvent, { type: 'audio' }>): void;
}

/** The speech thread, as the main thread reaches it. */
export interface SpeechThreadApi {
  /** Another thread's end of the port has requests. */
  connect(port: Moved<MessagePort>): void;
  stop(): void;
}

export interface SpeechThreadEvents {
  /** A natural voice cannot be used; others speak in its place. */
  voiceLost(message: string): void;
}

/** Hands a port to the speech thread; the port closes when the thread ends. */
export type ConnectSpeech = (port: MessagePort) => void;
