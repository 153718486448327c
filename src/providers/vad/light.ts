import type { SampleRate } from '@callwright/audio';
import type { Vad } from '../ports/recogniser.ts';

/** Level above the noise floor at which the probability is 0.5, and the slope around it, dB. */
const MIDDLE_DB = 9;
const SPREAD_DB = 2;
/** A frame below this level is silence at any noise floor, dBFS. */
const SILENCE_DBFS = -55;
/** Rise of the noise floor, dB per 20 ms: slow enough for speech, fast enough for lasting noise. It falls at once. */
const RISE_DB = 0.06;
const START_FLOOR_DBFS = -50;
const HIGHEST_PITCH_HZ = 400;
const LOWEST_PITCH_HZ = 70;
/** Least normalised autocorrelation of a voiced frame. */
const VOICED = 0.45;
/** An unvoiced frame counts as speech this long after a voiced one, ms. */
const UNVOICED_MS = 200;
const FRAME_MS = 20;

/**
 * Voice activity without a model: level above a tracked noise floor; speech must start with a pitch. Cheaper and less
 * accurate than Silero: it takes music and tones for speech.
 */
export function openLight(sampleRate: SampleRate): Vad {
  const frameSize = sampleRate / 50;
  const shortest = Math.floor(sampleRate / HIGHEST_PITCH_HZ);
  const longest = Math.ceil(sampleRate / LOWEST_PITCH_HZ);
  const history = new Float32Array(frameSize + longest);
  let floor = START_FLOOR_DBFS;
  let sinceVoiced = Infinity;
  let voicedFrames = 0;

  const pitchStrength = (): number => {
    let best = 0;
    for (let lag = shortest; lag <= longest; lag++) {
      let product = 0;
      let here = 1;
      let there = 1;
      for (let i = longest; i < history.length; i++) {
        const [a, b] = [history[i]!, history[i - lag]!];
        product += a * b;
        here += a * a;
        there += b * b;
      }
      best = Math.max(best, product / Math.sqrt(here * there));
    }
    return best;
  };

  return {
    process(frame) {
      if (frame.length !== frameSize) return 0;
      history.copyWithin(0, frameSize);
      let power = 0;
      for (let i = 0; i < frameSize; i++) {
        const sample = frame[i]!;
        history[longest + i] = sample;
        power += sample * sample;
      }
      const level = 10 * Math.log10(power / frameSize / 32_768 ** 2 + 1e-10);
      floor = Math.max(-90, Math.min(level, floor + RISE_DB));
      sinceVoiced += FRAME_MS;
      if (level < SILENCE_DBFS) return 0;
      const likely = 1 / (1 + Math.exp((MIDDLE_DB - (level - floor)) / SPREAD_DB));
      if (likely < 0.1) return likely;
      voicedFrames = pitchStrength() >= VOICED ? voicedFrames + 1 : 0;
      if (voicedFrames >= 2) sinceVoiced = 0;
      return sinceVoiced <= UNVOICED_MS ? likely : Math.min(likely, 0.3);
    },
    reset() {
      history.fill(0);
      floor = START_FLOOR_DBFS;
      sinceVoiced = Infinity;
      voicedFrames = 0;
    },
    close: () => undefined,
  };
}
