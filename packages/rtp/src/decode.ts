import { createResampler, maxResampled, resampleTo } from '@callwright/audio';
import type { AudioCodec } from './codecs.ts';

/** Decodes a payload into the caller's array; returns the samples written. */
export type Decode = (dst: Int16Array, src: Uint8Array) => number;
/** Encodes PCM into the caller's array from `offset`; returns the bytes written. */
export type Encode = (dst: Uint8Array, offset: number, src: Int16Array) => number;

/** Changes the rate of a stream of whole frames: as many samples out as the frame lasts, 3 ms later. */
function rateChange(from: number, to: number, most: number): (pcm: Int16Array) => Int16Array {
  const resampler = createResampler(from, to);
  const out = new Int16Array(maxResampled(resampler, most));
  resampleTo(resampler, new Int16Array(resampler.filter.taps / 2), out);
  return (pcm) => out.subarray(0, resampleTo(resampler, pcm, out));
}

/** Decodes the packets of a stream to PCM at `rate`. `most`: bytes of the longest payload. */
export function decoderAt(codec: AudioCodec, rate: number, most: number): Decode {
  const decode = codec.decoder();
  if (codec.sampleRate === rate) return decode;
  const longest = (most * codec.sampleRate) / codec.clockRate;
  const coded = new Int16Array(longest);
  const changed = rateChange(codec.sampleRate, rate, longest);
  return (dst, src) => {
    const pcm = changed(coded.subarray(0, decode(coded, src)));
    dst.set(pcm);
    return pcm.length;
  };
}

/** Encodes frames of PCM at `rate`. `most`: samples of the longest frame. */
export function encoderAt(codec: AudioCodec, rate: number, most: number): Encode {
  const encode = codec.encoder();
  if (codec.sampleRate === rate) return encode;
  const changed = rateChange(rate, codec.sampleRate, most);
  return (dst, offset, src) => encode(dst, offset, changed(src));
}

/**
 * Packet loss concealment after ITU-T G.711 Appendix I: repeats the last pitch periods, one for the first 10 ms,
 * then two, then three, fades to silence at 60 ms, and cross-fades back into received audio. Unlike the appendix it
 * adds no delay. Works at 8 or 16 kHz on the caller's arrays.
 */
export interface Concealer {
  readonly rate: number;
  /** The newest received samples, oldest first. */
  readonly history: Int16Array;
  readonly cycle: Float32Array;
  /** Samples synthesized since the last received one. */
  synthesized: number;
  /** Pitch period at the start of the loss, in samples. */
  period: number;
  cycleLength: number;
  position: number;
  /** Step between the last received sample and the repetition, faded out over the first millisecond. */
  step: number;
}

/** Concealment has faded to silence after this time. */
export const CONCEAL_MS = 60;
const HOLD_MS = 10;
const JOIN_MS = 4;
/** Pitch range: 66 to 200 Hz. */
const MIN_PERIOD_MS = 5;
const MAX_PERIOD_MS = 15;
const CORRELATION_MS = 20;

const samplesOf = (concealer: Concealer, ms: number): number => (concealer.rate / 1000) * ms;

export function createConcealer(rate: number): Concealer {
  const perMs = rate / 1000;
  return {
    rate,
    history: new Int16Array(perMs * (3 * MAX_PERIOD_MS + 4)),
    cycle: new Float32Array(perMs * 3 * MAX_PERIOD_MS),
    synthesized: 0,
    period: 0,
    cycleLength: 0,
    position: 0,
    step: 0,
  };
}

/** Lag with the highest normalised autocorrelation of the newest 20 ms. */
function findPeriod(concealer: Concealer): number {
  const { history } = concealer;
  const end = history.length;
  const window = samplesOf(concealer, CORRELATION_MS);
  const shortest = samplesOf(concealer, MIN_PERIOD_MS);
  const longest = samplesOf(concealer, MAX_PERIOD_MS);
  const score = (lag: number, stride: number): number => {
    let cross = 0;
    let energy = 1;
    for (let i = end - window; i < end; i += stride) {
      const earlier = history[i - lag] as number;
      cross += (history[i] as number) * earlier;
      energy += earlier * earlier;
    }
    return cross / Math.sqrt(energy);
  };
  let best = shortest;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let lag = shortest; lag <= longest; lag += 2) {
    const value = score(lag, 2);
    if (value > bestScore) [best, bestScore] = [lag, value];
  }
  const around = best;
  bestScore = Number.NEGATIVE_INFINITY;
  for (let lag = Math.max(shortest, around - 2); lag <= Math.min(longest, around + 2); lag++) {
    const value = score(lag, 1);
    if (value > bestScore) [best, bestScore] = [lag, value];
  }
  return best;
}

/** Loads the newest `periods` pitch periods as the cycle and blends its end into its start. */
function loadCycle(concealer: Concealer, periods: number): void {
  const { history, cycle, period } = concealer;
  const end = history.length;
  const length = period * periods;
  const start = end - length;
  for (let i = 0; i < length; i++) cycle[i] = history[start + i] as number;
  const blend = Math.floor(period / 4);
  for (let i = 0; i < blend; i++) {
    const weight = (i + 1) / (blend + 1);
    const at = length - blend + i;
    const before = start - blend + i;
    cycle[at] = (cycle[at] as number) * (1 - weight) + (history[before] as number) * weight;
  }
  concealer.cycleLength = length;
}

function begin(concealer: Concealer): void {
  concealer.period = findPeriod(concealer);
  loadCycle(concealer, 1);
  concealer.position = 0;
  const { history, period } = concealer;
  concealer.step = (history.at(-1) as number) - (history.at(-1 - period) as number);
}

const clip = (value: number): number => (value > 32767 ? 32767 : value < -32768 ? -32768 : Math.round(value));

/** Synthesizes the next `count` samples into `dst` from `offset`. */
export function concealTo(concealer: Concealer, dst: Int16Array, offset: number, count: number): void {
  const hold = samplesOf(concealer, HOLD_MS);
  const fade = samplesOf(concealer, CONCEAL_MS) - hold;
  const smooth = samplesOf(concealer, 1);
  if (concealer.synthesized === 0) begin(concealer);
  for (let i = 0; i < count; i++) {
    const done = concealer.synthesized;
    if (done === hold || done === 2 * hold) {
      // More periods avoid the buzz of a single repeated one; the phase within the period stays.
      const phase = concealer.position % concealer.period;
      loadCycle(concealer, done / hold + 1);
      concealer.position = phase;
    }
    const gain = done < hold ? 1 : Math.max(0, 1 - (done - hold) / fade);
    let value = concealer.cycle[concealer.position] as number;
    if (done < smooth) value += concealer.step * (1 - (done + 1) / (smooth + 1));
    dst[offset + i] = clip(value * gain);
    concealer.position = concealer.position + 1 === concealer.cycleLength ? 0 : concealer.position + 1;
    concealer.synthesized += 1;
  }
}

/** Records received samples; after a loss it cross-fades the first ones, in place, with the synthesized audio. */
export function acceptSamples(concealer: Concealer, samples: Int16Array): void {
  if (concealer.synthesized > 0) {
    const join = Math.min(samples.length, samplesOf(concealer, JOIN_MS));
    const hold = samplesOf(concealer, HOLD_MS);
    const fade = samplesOf(concealer, CONCEAL_MS) - hold;
    for (let i = 0; i < join; i++) {
      const done = concealer.synthesized + i;
      const gain = done < hold ? 1 : Math.max(0, 1 - (done - hold) / fade);
      const synthesized = (concealer.cycle[concealer.position] as number) * gain;
      concealer.position = concealer.position + 1 === concealer.cycleLength ? 0 : concealer.position + 1;
      const weight = (i + 1) / (join + 1);
      samples[i] = clip((samples[i] as number) * weight + synthesized * (1 - weight));
    }
    concealer.synthesized = 0;
  }
  const { history } = concealer;
  if (samples.length >= history.length) {
    history.set(samples.subarray(samples.length - history.length));
  } else {
    history.copyWithin(0, samples.length);
    history.set(samples, history.length - samples.length);
  }
}

/** Clears the history: audio from before a pause or of another stream must not be repeated. */
export function resetConcealer(concealer: Concealer): void {
  concealer.history.fill(0);
  concealer.synthesized = 0;
}

/**
 * Regroups decoded packets of any packet time into 20 ms frames and conceals losses. Pure: PCM with positions in,
 * frames through `out`. A pause of the sender, or a loss longer than the concealment, is a step of the timestamp.
 */
export interface FrameOut {
  /** `pcm` is reused after the call; `timestamp` is the position of its first sample. */
  onFrame(pcm: Int16Array, timestamp: number, concealed: boolean, at: number): void;
}

export interface FrameAssembler {
  readonly frame: Int16Array;
  readonly concealer: Concealer;
  filled: number;
  /** True when the current frame contains synthesized samples. */
  concealed: boolean;
  /** Position of the next sample to append. */
  next: number;
  started: boolean;
  concealedSamples: number;
}

export const createFrameAssembler = (rate: number): FrameAssembler => ({
  frame: new Int16Array(rate / 50),
  concealer: createConcealer(rate),
  filled: 0,
  concealed: false,
  next: 0,
  started: false,
  concealedSamples: 0,
});

function emitIfFull(assembler: FrameAssembler, out: FrameOut, at: number): void {
  if (assembler.filled < assembler.frame.length) return;
  out.onFrame(assembler.frame, assembler.next - assembler.frame.length, assembler.concealed, at);
  assembler.filled = 0;
  assembler.concealed = false;
}

function conceal(assembler: FrameAssembler, count: number, out: FrameOut, at: number): void {
  let left = count;
  while (left > 0) {
    const part = Math.min(left, assembler.frame.length - assembler.filled);
    concealTo(assembler.concealer, assembler.frame, assembler.filled, part);
    assembler.concealed = true;
    assembler.filled += part;
    assembler.next += part;
    left -= part;
    emitIfFull(assembler, out, at);
  }
  assembler.concealedSamples += count;
}

/** Fills the current frame with silence, so that the next one starts at the packet's position. */
function pad(assembler: FrameAssembler, out: FrameOut, at: number): void {
  if (assembler.filled === 0) return;
  const missing = assembler.frame.length - assembler.filled;
  assembler.frame.fill(0, assembler.filled);
  assembler.filled += missing;
  assembler.next += missing;
  emitIfFull(assembler, out, at);
}

/**
 * Appends the PCM of one packet at `place` (samples). Changes `pcm` after a loss, to fade it in. `lostBefore`
 * distinguishes a loss from a pause of the sender. `isSynthesized`: the decoder made the samples up for a loss.
 */
export function appendPcm(
  assembler: FrameAssembler,
  pcm: Int16Array,
  place: number,
  lostBefore: number,
  out: FrameOut,
  at: number,
  isSynthesized = false,
): void {
  if (!assembler.started) {
    assembler.started = true;
    assembler.next = place;
  }
  const gap = place - assembler.next;
  if (gap > 0) {
    if (lostBefore > 0) {
      const most = (assembler.concealer.rate / 1000) * CONCEAL_MS;
      conceal(assembler, Math.min(gap, most), out, at);
    }
    if (place > assembler.next) {
      resetConcealer(assembler.concealer);
      pad(assembler, out, at);
      assembler.next = Math.max(assembler.next, place);
    }
  }
  acceptSamples(assembler.concealer, pcm);
  if (isSynthesized) assembler.concealedSamples += pcm.length;
  let read = 0;
  while (read < pcm.length) {
    if (isSynthesized) assembler.concealed = true;
    const part = Math.min(pcm.length - read, assembler.frame.length - assembler.filled);
    for (let i = 0; i < part; i++) assembler.frame[assembler.filled + i] = pcm[read + i] as number;
    assembler.filled += part;
    assembler.next += part;
    read += part;
    emitIfFull(assembler, out, at);
  }
}
