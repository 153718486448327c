export type { DtmfDigit } from './dtmf.ts';
export {
  type FrameQueue,
  clearQueue,
  createFrameQueue,
  pushPcm,
  readFrame,
  truncate,
} from './frame-queue.ts';
export { FRAME_MS, type SampleRate } from './frame.ts';
export {
  ALAW_SILENCE,
  ULAW_SILENCE,
  decodeAlawTo,
  decodeUlawTo,
  encodeAlawTo,
  encodeUlawTo,
} from './g711.ts';
export { applyGain, applyRamp, gainOfDb } from './gain.ts';
export { dbfs, peak, rms } from './level.ts';
export { type Loop, mixInto, mixLoop } from './mixer.ts';
export { type Ambience, officeAmbience } from './office-ambience.ts';
export { type Resampler, createResampler, maxResampled, resample, resampleTo } from './resample.ts';
export { beep, dualTone, sineTone } from './tones.ts';
export {
  WAV_HEADER_BYTES,
  type WavResult,
  parseWav,
  patchWavSizes,
  wavDataBytes,
  wavHeader,
  writeWav,
} from './wav.ts';
