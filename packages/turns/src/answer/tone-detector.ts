/**
 * Detects steady tones such as a mailbox beep: one frequency with nearly all of the power, for longer than any vowel.
 * Analyses the last two 20 ms frames, a resolution of 25 Hz.
 */
export interface ToneDetector {
  readonly rate: number;
  /** The previous and the newest frame. */
  readonly window: Float32Array;
  primed: boolean;
  runMs: number;
  /** Frequency at which the run began. */
  hz: number;
}

export interface Tone {
  readonly hz: number;
  readonly ms: number;
}

const FRAME_MS = 20;
const LOWEST_HZ = 380;
/** Up to the answer tone of a fax. */
const HIGHEST_HZ = 2150;
/** Quieter sound is skipped: RMS of about -42 dBFS. */
const FLOOR = 260;
/** Minimum share of the power in one frequency. */
const PURITY = 0.85;
const DRIFT_HZ = 30;
/** Shorter runs happen in speech and music. */
const LEAST_MS = 160;
/** Search offsets around the estimate, which noise may shift. */
const SEARCH_HZ = 60;
const STEP_HZ = 6;

export const createToneDetector = (rate: number): ToneDetector => ({
  rate,
  window: new Float32Array((rate / 1000) * FRAME_MS * 2),
  primed: false,
  runMs: 0,
  hz: 0,
});

/** Handles one frame; returns a tone that has just ended. */
export function stepTone(detector: ToneDetector, pcm: Int16Array): Tone | null {
  const { window } = detector;
  const half = window.length / 2;
  window.copyWithin(0, half);
  for (let i = 0; i < half; i++) window[half + i] = pcm[i] ?? 0;
  const hz = detector.primed ? steadyTone(detector) : null;
  detector.primed = true;
  if (hz !== null && (detector.runMs === 0 || Math.abs(hz - detector.hz) <= DRIFT_HZ)) {
    if (detector.runMs === 0) detector.hz = hz;
    detector.runMs += FRAME_MS;
    return null;
  }
  const ended = { hz: Math.round(detector.hz), ms: detector.runMs + FRAME_MS };
  detector.runMs = hz === null ? 0 : FRAME_MS;
  detector.hz = hz ?? 0;
  return ended.ms >= LEAST_MS ? ended : null;
}

/** The frequency that holds the window's power, or null. */
function steadyTone({ window, rate }: ToneDetector): number | null {
  const count = window.length;
  let power = 0;
  let next = 0;
  for (let i = 1; i < count - 1; i++) {
    const sample = window[i] as number;
    power += sample * sample;
    next += sample * ((window[i - 1] as number) + (window[i + 1] as number));
  }
  if (power < FLOOR * FLOOR * count || Math.abs(next) >= 2 * power) return null;
  // For one sine, neighbours add up to twice the cosine of its step times the sample between them.
  const estimate = (Math.acos(next / (2 * power)) * rate) / (2 * Math.PI);
  if (estimate < LOWEST_HZ - SEARCH_HZ || estimate > HIGHEST_HZ + SEARCH_HZ) return null;
  let best = { hz: 0, share: 0 };
  for (let hz = estimate - SEARCH_HZ; hz <= estimate + SEARCH_HZ; hz += STEP_HZ) {
    const share = (2 * goertzel(window, hz / rate)) / (count * power);
    if (share > best.share) best = { hz, share };
  }
  return best.share >= PURITY && best.hz >= LOWEST_HZ && best.hz <= HIGHEST_HZ ? best.hz : null;
}

/** Squared magnitude at `cycles` per sample. */
function goertzel(window: Float32Array, cycles: number): number {
  const step = 2 * Math.cos(2 * Math.PI * cycles);
  let before = 0;
  let last = 0;
  for (let i = 0; i < window.length; i++) {
    const current = (window[i] as number) + step * last - before;
    before = last;
    last = current;
  }
  return last * last + before * before - step * last * before;
}
