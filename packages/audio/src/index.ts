/** PCM of telephone calls: pure arithmetic on signed 16-bit samples. */
export { FRAME_MS, type SampleRate } from './frame.ts';
export type { DtmfDigit } from './dtmf.ts';

// G.711 and G.722, into the caller's arrays.
export {
  ALAW_SILENCE,
  ULAW_SILENCE,
  decodeAlawTo,
  decodeUlawTo,
  encodeAlawTo,
  encodeUlawTo,
} from './g711.ts';
export { createG722Decoder, createG722Encoder } from './g722.ts';

// Rates and frames.
export { type Resampler, createResampler, maxResampled, resample, resampleTo } from './resample.ts';
export {
  type FrameQueue,
  clearQueue,
  createFrameQueue,
  pushPcm,
  readFrame,
  truncate,
} from './frame-queue.ts';

// Levels, pitch, gain and mixing.
export { dbfs, peak, rms } from './level.ts';
export { finalPitch } from './pitch.ts';
export { applyGain, applyRamp, gainOfDb } from './gain.ts';
export { type Loop, mixInto, mixLoop } from './mixer.ts';

// Sounds.
export { beep, dualTone, sineTone } from './tones.ts';
export { type Ambience, officeAmbience } from './office-ambience.ts';
export { HoldMusic } from './hold-music.ts';

// WAV files, also while they grow.
export {
  WAV_HEADER_BYTES,
  type WavResult,
  parseWav,
  patchWavSizes,
  wavDataBytes,
  wavHeader,
  writeWav,
} from './wav.ts';
