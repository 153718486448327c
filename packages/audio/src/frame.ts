/** Audio is mono signed 16-bit PCM at one of these rates, in frames of `FRAME_MS`. */
export type SampleRate = 8000 | 16000;
export const FRAME_MS = 20;
