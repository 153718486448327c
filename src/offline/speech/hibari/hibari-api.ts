import type { StopFlag } from '../../../shared/native-threads.ts';
import type { Moved } from '../../../shared/threads/moved.ts';
import type { HibariFiles } from './files.ts';
import type { Sentence } from './voice.ts';

/** The thread of the natural voices, as the speech thread reaches it. */
export interface HibariApi {
  /** Loads the first voice, `net`. Rejects with the reason why it cannot be used. */
  load(files: HibariFiles, net: string): Promise<void>;
  /** Sentences wait for those before them. */
  speak(id: number, sentence: Sentence): void;
  cancel(id: number): void;
  stop(): void;
}
export interface HibariEvents {
  /** The next sound of a sentence, 24 kHz. */
  samples(id: number, pcm: Moved<Int16Array<ArrayBuffer>>): void;
  /** The sentence is over; `fault`: why it has no sound, or not all. */
  ended(id: number, fault: string | null): void;
}
export interface HibariThreadData {
  readonly stop: StopFlag;
}
