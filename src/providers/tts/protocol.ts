import type { SampleRate } from '../../voice/ports.ts';
import type { Synthesis } from './synthesis.ts';

/** Between a call worker and its speech thread. Audio buffers are transferred. */
export type ToSpeechThread =
  | {
      readonly type: 'speak';
      readonly id: number;
      readonly synthesis: Synthesis;
      readonly sampleRate: SampleRate;
    }
  | { readonly type: 'cancel'; readonly id: number };

export type FromSpeechThread =
  | { readonly type: 'audio'; readonly id: number; readonly pcm: Int16Array<ArrayBuffer> }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly retryable: boolean };

/** Settings of a speech thread, given as its worker data. */
export interface SpeechThreadOptions {
  readonly cacheBytes: number;
  readonly fliteAtOnce: number;
  readonly espeakAtOnce: number;
  readonly espeakCommand: string;
  readonly fliteCommand: string;
}
