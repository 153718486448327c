import type { SampleRate } from '../../voice/ports.ts';
import type { Grammar } from './grammar.ts';

/** Between a call worker and a recogniser thread. Utterance buffers are transferred. */
export type ToRecogniser =
  | { readonly type: 'prepare'; readonly grammar: Grammar }
  | {
      readonly type: 'decode';
      readonly id: number;
      readonly grammar: Grammar;
      readonly pcm: Int16Array<ArrayBuffer>;
      readonly sampleRate: SampleRate;
    }
  | { readonly type: 'stop' };

export type FromRecogniser =
  | { readonly type: 'ready' }
  | { readonly type: 'decoded'; readonly id: number; readonly text: string; readonly confidence: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

export interface RecogniserOptions {
  readonly modelDirectory: string;
  readonly espeakCommand: string;
  readonly fliteCommand: string;
}
