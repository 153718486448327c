import { createResampler, resample } from '@callwright/audio';
import { Fourier } from '../../src/shared/fourier.ts';
import { openOnnx, type Onnx, type OnnxSession, type OnnxTensor } from '../../src/shared/onnx.ts';

/** Of the published nets: blocks of 32 ms every 8 ms at 16 kHz. */
const RATE = 16_000;
const BLOCK = 512;
const SHIFT = 128;
const BINS = BLOCK / 2 + 1;
const STATE = [1, 2, 128, 2] as const;
const STATE_SIZE = 2 * 128 * 2;

interface Net {
  readonly session: OnnxSession;
  state: OnnxTensor;
}

/** DTLN (Westhausen and Meyer, 2020): the first net masks the spectrum of a block, the second one its waveform. */
export class Dtln {
  readonly #runtime: Onnx;
  readonly #sessions: readonly [OnnxSession, OnnxSession];
  readonly #fourier = new Fourier(BLOCK);

  private constructor(runtime: Onnx, sessions: readonly [OnnxSession, OnnxSession]) {
    this.#runtime = runtime;
    this.#sessions = sessions;
  }

  static async load(runtime: Onnx, files: readonly [string, string]): Promise<Dtln> {
    const [first, second] = files;
    return new Dtln(runtime, [await openOnnx(runtime, first, 'cpu'), await openOnnx(runtime, second, 'cpu')]);
  }

  /** A whole recording at 8 kHz without its noise, of the same length and not later. */
  async clean(pcm: Int16Array): Promise<Int16Array> {
    const delay = BLOCK - SHIFT;
    const wide = resample(createResampler(8_000, RATE), pcm, true);
    const padded = new Float32Array(Math.ceil((wide.length + delay) / SHIFT) * SHIFT);
    for (const [i, sample] of wide.entries()) padded[i] = sample / 32_768;
    const nets = this.#sessions.map((session): Net => ({
      session,
      state: this.#tensor(new Float32Array(STATE_SIZE), STATE),
    }));
    const [masks, shapes] = nets as [Net, Net];
    const block = new Float32Array(BLOCK);
    const sum = new Float32Array(BLOCK);
    const out = new Int16Array(padded.length);
    for (let at = 0; at < padded.length; at += SHIFT) {
      block.copyWithin(0, SHIFT);
      block.set(padded.subarray(at, at + SHIFT), BLOCK - SHIFT);
      const masked = await this.#masked(masks, block);
      const cleaned = await this.#run(shapes, masked, [1, 1, BLOCK]);
      sum.copyWithin(0, SHIFT);
      sum.fill(0, BLOCK - SHIFT);
      for (let i = 0; i < BLOCK; i++) sum[i] = (sum[i] ?? 0) + (cleaned[i] ?? 0);
      for (let i = 0; i < SHIFT; i++) out[at + i] = Math.max(-1, Math.min(1, sum[i] ?? 0)) * 32_767;
    }
    const narrow = resample(createResampler(RATE, 8_000), out.subarray(delay), true);
    const result = new Int16Array(pcm.length);
    result.set(narrow.subarray(0, pcm.length));
    return result;
  }

  /** The block with its spectrum masked by the first net. */
  async #masked(net: Net, block: Float32Array): Promise<Float32Array> {
    const { re, im, order } = this.#fourier;
    for (let i = 0; i < BLOCK; i++) {
      re[i] = block[order[i] ?? 0] ?? 0;
      im[i] = 0;
    }
    this.#fourier.transform();
    const spectrum = [re.slice(0, BINS), im.slice(0, BINS)] as const;
    const size = Float32Array.from({ length: BINS }, (_, k) => Math.hypot(re[k] ?? 0, im[k] ?? 0));
    const mask = await this.#run(net, size, [1, 1, BINS]);
    // The inverse is the transform of the conjugate.
    const [real, imaginary] = [new Float64Array(BLOCK), new Float64Array(BLOCK)];
    for (let k = 0; k < BINS; k++) {
      const mirror = (BLOCK - k) % BLOCK;
      const share = mask[k] ?? 0;
      real[k] = real[mirror] = (spectrum[0][k] ?? 0) * share;
      imaginary[mirror] = (spectrum[1][k] ?? 0) * share;
      imaginary[k] = -imaginary[mirror];
    }
    for (let i = 0; i < BLOCK; i++) {
      re[i] = real[order[i] ?? 0] ?? 0;
      im[i] = imaginary[order[i] ?? 0] ?? 0;
    }
    this.#fourier.transform();
    return Float32Array.from(re, (value) => value / BLOCK);
  }

  async #run(net: Net, values: Float32Array, shape: readonly number[]): Promise<ArrayLike<number>> {
    const { inputNames, outputNames } = net.session;
    const [data = '', state = ''] = inputNames;
    const answers = await net.session.run({ [data]: this.#tensor(values, shape), [state]: net.state });
    const found = outputNames.map((name) => answers[name]);
    const next = found.find((tensor) => tensor?.dims.length === STATE.length);
    const result = found.find((tensor) => tensor?.dims.length === shape.length);
    if (next === undefined || result === undefined) throw new Error('the net has other outputs than DTLN');
    net.state = next;
    return result.data;
  }

  #tensor(values: Float32Array, shape: readonly number[]): OnnxTensor {
    return new this.#runtime.Tensor('float32', values, shape);
  }
}
