import type { MessagePort } from 'node:worker_threads';
import type { SpeechRequest } from './synthesiser.ts';

/** Messages between a thread with calls and the speech thread of its process. Audio buffers are transferred. */
export type ToSpeechThread =
  | ({ readonly type: 'speak'; readonly id: number } & SpeechRequest)
  | { readonly type: 'cancel'; readonly id: number };

export type FromSpeechThread =
  | { readonly type: 'audio'; readonly id: number; readonly pcm: Int16Array<ArrayBuffer> }
  | { readonly type: 'reached'; readonly id: number; readonly share: number; readonly audioMs: number }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly retryable: boolean };

/** Messages of the main thread to the speech thread. */
export type SpeechThreadOrder =
  /** Another thread's end of the port has requests. */
  { readonly type: 'client'; readonly port: MessagePort } | { readonly type: 'stop' };

/** Hands a port to the speech thread; the port closes when the thread ends. */
export type ConnectSpeech = (port: MessagePort) => void;
