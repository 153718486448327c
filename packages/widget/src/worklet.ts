import { Resampler } from './resampler.ts';
import type { ToPlayer } from './worklet-messages.ts';

/** What AudioWorkletGlobalScope has beside the standard globals. */
declare const sampleRate: number;
declare const currentFrame: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** The rate of the call, and its frames of 20 ms. */
const CALL_RATE = 16_000;
const FRAME = 320;
/** Audio gathered before a talk spurt plays: bridges the jitter of the network. */
const PREBUFFER = 960;
const LOUDEST = 32_767;

/** Microphone to frames of the call. */
class Capture extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(sampleRate, CALL_RATE);
  readonly #frame = new Float32Array(FRAME);
  #filled = 0;
  #isMuted = false;

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }: MessageEvent<boolean>) => {
      this.#isMuted = data;
    });
    this.port.start();
  }

  process([input]: readonly Float32Array[][]): boolean {
    const samples = input?.[0];
    if (samples === undefined) return true;
    this.#resampler.push(samples);
    for (;;) {
      const count = this.#resampler.pull(this.#frame.subarray(this.#filled));
      if (count === 0) return true;
      this.#filled += count;
      if (this.#filled === FRAME) this.#send();
    }
  }

  #send(): void {
    this.#filled = 0;
    const pcm = new Int16Array(FRAME);
    let sum = 0;
    if (!this.#isMuted) {
      for (const [index, sample] of this.#frame.entries()) {
        pcm[index] = Math.max(-1, Math.min(1, sample)) * LOUDEST;
        sum += sample * sample;
      }
    }
    this.port.postMessage({ pcm: pcm.buffer, level: Math.sqrt(sum / FRAME) }, [pcm.buffer]);
  }
}

/** Frames of the call to the loudspeaker. */
class Playback extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(CALL_RATE, sampleRate);
  readonly #waiting: Float32Array[] = [];
  #gathered = 0;
  #gatheringSince = 0;
  #isPlaying = false;
  /** When the order to drop everything came, in frames of the context; null: none is open. */
  #clearedAt: number | null = null;

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }: MessageEvent<ToPlayer>) => {
      if (data === 'clear') this.#clear();
      else this.#take(new Int16Array(data));
    });
    this.port.start();
  }

  process(_inputs: unknown, [output]: readonly Float32Array[][]): boolean {
    const out = output?.[0];
    if (out === undefined) return true;
    if (this.#clearedAt !== null) {
      // This block is the first without the dropped audio: it ends the flush.
      const flushedMs = ((currentFrame + out.length - this.#clearedAt) / sampleRate) * 1000;
      this.#clearedAt = null;
      this.port.postMessage({ flushedMs });
    }
    const waitedLong = currentFrame - this.#gatheringSince > (PREBUFFER / CALL_RATE) * sampleRate;
    const mayBegin = this.#gathered >= PREBUFFER || (this.#gathered > 0 && waitedLong);
    if (!this.#isPlaying && mayBegin) this.#begin();
    if (!this.#isPlaying) return true;
    const count = this.#resampler.pull(out);
    if (count < out.length) this.#isPlaying = false;
    return true;
  }

  #take(pcm: Int16Array): void {
    const samples = Float32Array.from(pcm, (sample) => sample / LOUDEST);
    if (this.#isPlaying) {
      this.#resampler.push(samples);
      return;
    }
    if (this.#gathered === 0) this.#gatheringSince = currentFrame;
    this.#waiting.push(samples);
    this.#gathered += samples.length;
  }

  #begin(): void {
    for (const samples of this.#waiting) this.#resampler.push(samples);
    this.#waiting.length = 0;
    this.#gathered = 0;
    this.#isPlaying = true;
  }

  #clear(): void {
    this.#resampler.clear();
    this.#waiting.length = 0;
    this.#gathered = 0;
    this.#isPlaying = false;
    this.#clearedAt = currentFrame;
  }
}

registerProcessor('callwright-capture', Capture);
registerProcessor('callwright-playback', Playback);
