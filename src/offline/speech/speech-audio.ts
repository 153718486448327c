import { type Resampler, createResampler, resample } from '@callwright/audio';

/** Audio measured before an utterance's gain is fixed; engines produce it within milliseconds. */
const LEVEL_WINDOW_SECONDS = 1.2;
const FRAME_SECONDS = 0.01;
const LEAD_FRAMES = 2;
const TAIL_FRAMES = 6;
/** A frame below this 16-bit mean square after levelling is silence: about -48 dBFS. */
const SILENCE_POWER = 130 * 130;
const FIRST_CHUNK_FRAMES = 10;
const CHUNK_FRAMES = 20;

/**
 * Converts an engine's samples for a call: resampled to the call's rate, levelled, trimmed to at most 20 ms of silence
 * before and 60 ms after, in a first chunk of 100 ms and further chunks of 200 ms. The receiver owns each chunk.
 */
export interface SpeechAudio {
  push(pcm: Int16Array, sourceRate: number): Int16Array[];
  end(): Int16Array[];
}

export function speechAudio(sampleRate: number): SpeechAudio {
  const frame = Math.round(sampleRate * FRAME_SECONDS);
  const windowSamples = Math.round(sampleRate * LEVEL_WINDOW_SECONDS);
  let converter: Resampler | null = null;
  let waiting: Float32Array[] = [];
  let waitingSamples = 0;
  let gain: number | null = null;
  let partial: Int16Array = new Int16Array(frame);
  let filled = 0;
  let sounded = false;
  let quiet: Int16Array[] = [];
  let open: Int16Array[] = [];
  let chunksMade = 0;

  const addFrame = (out: Int16Array[], samples: Int16Array): void => {
    let power = 0;
    for (const sample of samples) power += sample * sample;
    if (power < SILENCE_POWER * samples.length) {
      quiet.push(samples);
      if (!sounded && quiet.length > LEAD_FRAMES) quiet.shift();
      return;
    }
    sounded = true;
    open.push(...quiet, samples);
    quiet = [];
    const size = chunksMade === 0 ? FIRST_CHUNK_FRAMES : CHUNK_FRAMES;
    while (open.length >= size) {
      out.push(joined(open.splice(0, size)));
      chunksMade++;
    }
  };

  const level = (out: Int16Array[], samples: Float32Array, factor: number): void => {
    for (const sample of samples) {
      partial[filled++] = limited(sample * factor);
      if (filled === frame) {
        addFrame(out, partial);
        partial = new Int16Array(frame);
        filled = 0;
      }
    }
  };

  const release = (out: Int16Array[]): void => {
    const window = new Float32Array(waitingSamples);
    let at = 0;
    for (const part of waiting) {
      window.set(part, at);
      at += part.length;
    }
    waiting = [];
    gain = gainFor(window.subarray(0, windowSamples), sampleRate);
    level(out, window, gain);
  };

  const add = (out: Int16Array[], samples: Float32Array): void => {
    if (gain !== null) {
      level(out, samples, gain);
      return;
    }
    waiting.push(samples);
    waitingSamples += samples.length;
    if (waitingSamples >= windowSamples) release(out);
  };

  return {
    push(pcm, sourceRate) {
      const out: Int16Array[] = [];
      if (sourceRate === sampleRate) add(out, floats(pcm));
      else {
        converter ??= createResampler(sourceRate, sampleRate);
        add(out, floats(resample(converter, pcm)));
      }
      return out;
    },
    end() {
      const out: Int16Array[] = [];
      if (converter !== null) add(out, floats(resample(converter, NO_SAMPLES, true)));
      if (gain === null) release(out);
      if (filled > 0) addFrame(out, partial.slice(0, filled));
      if (sounded) open.push(...quiet.slice(0, TAIL_FRAMES));
      if (open.length > 0) out.push(joined(open));
      open = [];
      return out;
    },
  };
}

const NO_SAMPLES = new Int16Array(0);

const floats = (pcm: Int16Array): Float32Array => Float32Array.from(pcm, (sample) => sample / 32_768);

/** Concatenates the parts. */
export function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** RMS level of every voice over its sounding frames, dBFS. */
export const TARGET_DBFS = -20;

/** Frames whose power is this far below the loudest one are pauses and are not measured. */
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

/** The gain that brings speech to the target level, bounded so that it does not amplify noise. */
export function gainFor(samples: Float32Array, sampleRate: number): number {
  const power = activePower(samples, sampleRate);
  if (power === 0) return 1;
  const gain = 10 ** (TARGET_DBFS / 20) / Math.sqrt(power);
  return Math.min(MAX_GAIN, Math.max(MIN_GAIN, gain));
}

const KNEE = 0.7;

/** Soft limiter: one amplified sample as 16-bit PCM, linear up to the knee, compressed above it, never clipped. */
export function limited(sample: number): number {
  const size = Math.abs(sample);
  const bent = size <= KNEE ? size : KNEE + (1 - KNEE) * Math.tanh((size - KNEE) / (1 - KNEE));
  return Math.round((sample < 0 ? -bent : bent) * 32_000);
}
