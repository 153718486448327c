import type { StopFlag } from '../../shared/native-threads.ts';
import type { Moved } from '../../shared/threads/moved.ts';

/** What all voices of a thread load: known to the thread and to who starts it. */
export type NaturalFiles = object;

export interface Sentence {
  readonly text: string;
  /** The file of the voice. */
  readonly net: string;
  /** 0.5 to 2. */
  readonly speed: number;
}

/** The thread of natural voices, as the speech thread reaches it. */
export interface NaturalApi {
  /** Loads the first voice, `net`. Rejects with the reason why it cannot be used. */
  load(files: NaturalFiles, net: string): Promise<void>;
  /** Sentences wait for those before them. */
  speak(id: number, sentence: Sentence): void;
  cancel(id: number): void;
  stop(): void;
}
export interface NaturalEvents {
  /** The next sound of a sentence. */
  samples(id: number, pcm: Moved<Int16Array<ArrayBuffer>>, sampleRate: number): void;
  /** The sentence is over; `fault`: why it has no sound, or not all. */
  ended(id: number, fault: string | null): void;
}
export interface NaturalThreadData {
  readonly stop: StopFlag;
}
