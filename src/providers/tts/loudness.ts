/** Every voice leaves at this RMS level over its sounding parts, dBFS. */
export const TARGET_DBFS = -20;

const FRAME_SECONDS = 0.01;
/** Frames this far below the loudest one are pauses and do not count. */
const PAUSE_RATIO = 1e-3;
const MIN_GAIN = 0.05;
const MAX_GAIN = 6;

/** Mean power (full scale 1) of the sounding 10 ms frames; 0 for silence. */
export function activePower(samples: Float32Array, sampleRate: number): number {
  const frame = Math.max(1, Math.round(sampleRate * FRAME_SECONDS));
  const powers: number[] = [];
  for (let start = 0; start < samples.length; start += frame) {
    const end = Math.min(samples.length, start + frame);
    let sum = 0;
    for (let i = start; i < end; i++) sum += samples[i]! * samples[i]!;
    powers.push(sum / (end - start));
  }
  const floor = powers.reduce((most, power) => Math.max(most, power), 0) * PAUSE_RATIO;
  let total = 0;
  let count = 0;
  for (const power of powers) {
    if (power <= floor || power === 0) continue;
    total += power;
    count++;
  }
  return count === 0 ? 0 : total / count;
}

/** The gain that brings speech to the target level, bounded so that noise is not blown up. */
export function gainFor(samples: Float32Array, sampleRate: number): number {
  const power = activePower(samples, sampleRate);
  if (power === 0) return 1;
  const gain = 10 ** (TARGET_DBFS / 20) / Math.sqrt(power);
  return Math.min(MAX_GAIN, Math.max(MIN_GAIN, gain));
}

const KNEE = 0.7;

/** One sample after gain as 16-bit PCM: linear up to the knee, then bent so that it never clips. */
export function limited(sample: number): number {
  const size = Math.abs(sample);
  const bent = size <= KNEE ? size : KNEE + (1 - KNEE) * Math.tanh((size - KNEE) / (1 - KNEE));
  return Math.round((sample < 0 ? -bent : bent) * 32_000);
}
