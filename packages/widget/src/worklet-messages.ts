/** Messages of the audio worklet: its thread and the page agree on them. */

/** One frame of the call from the microphone, with its loudness (0 to 1). */
export interface FromCapture {
  readonly pcm: ArrayBuffer;
  readonly level: number;
}
/** A frame to play, or the order to drop everything. */
export type ToPlayer = ArrayBuffer | 'clear';

/** How long the dropped audio could still be heard. */
export interface FromPlayer {
  readonly flushedMs: number;
}
