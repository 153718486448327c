import { dbfs } from '@callwright/audio';

/** Detects music on the line: pitched sound without pauses that is not speech. */
export interface MusicDetector {
  readonly rate: number;
  soundMs: number;
  /** Its share of pitched sound that is not speech, and of speech. */
  tonalMs: number;
  speechMs: number;
  gapMs: number;
}

const FRAME_MS = 20;
const SOUND_DBFS = -50;
/** A longer pause ends the sound: speech and ringing have such pauses, music has few. */
const GAP_MS = 300;
const LEAST_MS = 3_000;
const TONAL_SHARE = 0.6;
const SPEECH_SHARE = 0.3;
const SPEECH = 0.5;
/** Least normalised autocorrelation of a frame with a pitch, between 90 and 1000 Hz. */
const PITCHED = 0.5;
const [LOWEST_HZ, HIGHEST_HZ] = [90, 1_000];

export const createMusicDetector = (rate: number): MusicDetector => ({
  rate,
  soundMs: 0,
  tonalMs: 0,
  speechMs: 0,
  gapMs: 0,
});

/** Handles one frame; `probability`: of speech. True once the sound of the last seconds is music. */
export function stepMusic(detector: MusicDetector, pcm: Int16Array, probability: number): boolean {
  if (dbfs(pcm) < SOUND_DBFS) {
    detector.gapMs += FRAME_MS;
    if (detector.gapMs >= GAP_MS) scale(detector, 0);
    return false;
  }
  detector.gapMs = 0;
  detector.soundMs += FRAME_MS;
  if (probability >= SPEECH) detector.speechMs += FRAME_MS;
  else if (isPitched(pcm, detector.rate)) detector.tonalMs += FRAME_MS;
  if (detector.soundMs < LEAST_MS) return false;
  const { soundMs, tonalMs, speechMs } = detector;
  scale(detector, 0.5);
  return tonalMs >= TONAL_SHARE * soundMs && speechMs <= SPEECH_SHARE * soundMs;
}

/** Decays the counts, so that recent sound weighs more. */
function scale(detector: MusicDetector, share: number): void {
  detector.soundMs *= share;
  detector.tonalMs *= share;
  detector.speechMs *= share;
}

function isPitched(pcm: Int16Array, rate: number): boolean {
  const step = rate / 8_000;
  const count = Math.floor(pcm.length / step);
  const longest = Math.floor(8_000 / LOWEST_HZ);
  for (let lag = Math.floor(8_000 / HIGHEST_HZ); lag <= longest; lag++) {
    let [product, here, there] = [0, 1, 1];
    for (let i = lag; i < count; i++) {
      const [a, b] = [pcm[i * step] as number, pcm[(i - lag) * step] as number];
      product += a * b;
      here += a * a;
      there += b * b;
    }
    // The first lags of a low sound look alike without being its period.
    if (product / Math.sqrt(here * there) >= PITCHED && lag > 2) return true;
  }
  return false;
}
