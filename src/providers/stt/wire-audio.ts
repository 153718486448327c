import {
  type Resampler,
  type SampleRate,
  createResampler,
  encodeUlawTo,
  maxResampled,
  resampleTo,
} from '@callwright/audio';

/** How a recogniser takes audio: mono, in chunks of `chunkMs`. */
export interface WireFormat {
  readonly encoding: 'mulaw' | 'linear16' | 'float32';
  readonly rate: 8000 | 16000 | 24000;
  readonly chunkMs: number;
}

/** The call's own format: G.711 at 8 kHz, linear at 16 kHz. */
export const phoneFormat = (sampleRate: SampleRate, chunkMs: number): WireFormat =>
  sampleRate === 8000
    ? { encoding: 'mulaw', rate: 8000, chunkMs }
    : { encoding: 'linear16', rate: 16_000, chunkMs };

/** Telephone audio passes up to 3.2 kHz: what recognisers use, for two thirds of the work. */
const CROSSINGS = 16;
/** Twice the rate loses nothing in the band of speech: a shorter filter does. */
const DOUBLING_CROSSINGS = 12;
const BYTES = { mulaw: 1, linear16: 2, float32: 4 } as const;

/** Phone audio as the vendor takes it; mu-law at 8 kHz needs no resampling. Samples are little-endian, as on this machine. */
export class WireAudio {
  readonly #format: WireFormat;
  readonly #resampler: Resampler | null;
  /** Samples per chunk, and in the current one. */
  readonly #samples: number;
  #filled = 0;
  #chunk: ArrayBuffer;
  #resampled = new Int16Array(0);

  constructor(from: SampleRate, format: WireFormat) {
    this.#format = format;
    const crossings = format.rate === 2 * from ? DOUBLING_CROSSINGS : CROSSINGS;
    this.#resampler = from === format.rate ? null : createResampler(from, format.rate, crossings);
    this.#samples = (format.rate / 1000) * format.chunkMs;
    this.#chunk = this.#newChunk();
  }

  /** Adds a frame and emits each full chunk; the receiver owns it. */
  push(frame: Int16Array, emit: (chunk: Uint8Array<ArrayBuffer>) => void): void {
    const pcm = this.#resampler === null ? frame : this.#converted(this.#resampler, frame);
    let from = 0;
    while (from < pcm.length) {
      const taken = Math.min(this.#samples - this.#filled, pcm.length - from);
      this.#encode(from === 0 && taken === pcm.length ? pcm : pcm.subarray(from, from + taken));
      from += taken;
      if (this.#filled === this.#samples) this.flush(emit);
    }
  }

  /** Emits what is left, shorter than a chunk. */
  flush(emit: (chunk: Uint8Array<ArrayBuffer>) => void): void {
    if (this.#filled === 0) return;
    const chunk = new Uint8Array(this.#chunk, 0, this.#filled * BYTES[this.#format.encoding]);
    this.#chunk = this.#newChunk();
    this.#filled = 0;
    emit(chunk);
  }

  #newChunk(): ArrayBuffer {
    return new ArrayBuffer(this.#samples * BYTES[this.#format.encoding]);
  }

  #converted(resampler: Resampler, frame: Int16Array): Int16Array {
    const needed = maxResampled(resampler, frame.length);
    if (this.#resampled.length < needed) this.#resampled = new Int16Array(needed);
    return this.#resampled.subarray(0, resampleTo(resampler, frame, this.#resampled));
  }

  /** Appends samples that fit into the chunk. */
  #encode(pcm: Int16Array): void {
    const at = this.#filled;
    this.#filled += pcm.length;
    switch (this.#format.encoding) {
      case 'mulaw':
        encodeUlawTo(new Uint8Array(this.#chunk), at, pcm);
        return;
      case 'linear16':
        new Int16Array(this.#chunk).set(pcm, at);
        return;
      case 'float32':
      default: {
        const out = new Float32Array(this.#chunk);
        for (let i = 0; i < pcm.length; i++) out[at + i] = (pcm[i] as number) / 32_768;
      }
    }
  }
}
