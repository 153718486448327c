import { type Resampler, type SampleRate, createResampler, decodeUlawTo, resample } from '@callwright/audio';

/** How a vendor sends speech: mono, without a header. */
export interface SpeechFormat {
  readonly encoding: 'mulaw' | 'linear16';
  readonly rate: 8000 | 16000 | 22050 | 24000;
}

/** The format without resampling: mu-law for a telephone. */
export const formatFor = (sampleRate: SampleRate): SpeechFormat =>
  sampleRate === 8000 ? { encoding: 'mulaw', rate: 8000 } : { encoding: 'linear16', rate: 16_000 };

/** Length of audio on the wire, ms. */
export const wireMs = (bytes: number, { encoding, rate }: SpeechFormat): number =>
  (bytes * 1000) / (rate * (encoding === 'mulaw' ? 1 : 2));

const NO_SAMPLES = new Int16Array(0);

/** Decodes speech that arrives in chunks of any size, also odd ones, to PCM at the call's rate. */
export class SpeechDecoder {
  readonly #encoding: SpeechFormat['encoding'];
  readonly #resampler: Resampler | null;
  /** First byte of a split sample. */
  #odd: number | null = null;

  constructor({ encoding, rate }: SpeechFormat, sampleRate: SampleRate) {
    this.#encoding = encoding;
    this.#resampler = rate === sampleRate ? null : createResampler(rate, sampleRate);
  }

  push(bytes: Uint8Array): Int16Array {
    const pcm = this.#encoding === 'mulaw' ? ulaw(bytes) : this.#linear(bytes);
    return this.#resampler === null || pcm.length === 0 ? pcm : resample(this.#resampler, pcm);
  }

  /** The last samples. */
  end(): Int16Array {
    this.#odd = null;
    return this.#resampler === null ? NO_SAMPLES : resample(this.#resampler, NO_SAMPLES, true);
  }

  #linear(bytes: Uint8Array): Int16Array {
    const odd = this.#odd === null ? 0 : 1;
    const whole = new Uint8Array(bytes.length + odd);
    if (this.#odd !== null) whole[0] = this.#odd;
    whole.set(bytes, odd);
    const samples = Math.floor(whole.length / 2);
    this.#odd = whole.length % 2 === 1 ? (whole.at(-1) ?? null) : null;
    const view = new DataView(whole.buffer);
    const pcm = new Int16Array(samples);
    for (let i = 0; i < samples; i++) pcm[i] = view.getInt16(2 * i, true);
    return pcm;
  }
}

function ulaw(bytes: Uint8Array): Int16Array {
  const pcm = new Int16Array(bytes.length);
  decodeUlawTo(pcm, bytes);
  return pcm;
}
