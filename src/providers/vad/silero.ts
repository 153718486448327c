import { readFileSync } from 'node:fs';
import type { SampleRate } from '@callwright/audio';
import type { Vad } from '../ports/recogniser.ts';
import { OnnxError, type Tensor } from './onnx-tensors.ts';

/**
 * A matrix times a vector in WebAssembly SIMD: `out = bias + W x`, 16 rows at a time. Within each block of 16 rows the
 * weights are stored column by column. Source: assets/models/matrix-kernel.wat.
 */
export interface MatrixKernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Byte addresses in `memory`; `blocks` is rows / 16; `blocks` and `columns` are at least 1. */
  readonly multiply: (
    weights: number,
    x: number,
    bias: number,
    out: number,
    blocks: number,
    columns: number,
  ) => void;
}

/** The part of the WebAssembly API used here; the compiler's ES library does not declare it. */
interface Wasm {
  Memory: new (options: { initial: number }) => MatrixKernel['memory'];
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Pick<MatrixKernel, 'multiply'> };
}

export const ROWS_PER_BLOCK = 16;
const PAGE_BYTES = 65_536;
const KERNEL = new URL('../../../assets/models/matrix-kernel.wasm', import.meta.url);

/** The kernel over a fresh memory of `bytes`. Throws where WebAssembly SIMD is missing. */
export function openMatrixKernel(bytes: number): MatrixKernel {
  const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const memory = new wasm.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE_BYTES)) });
  const instance = new wasm.Instance(new wasm.Module(readFileSync(KERNEL)), { env: { memory } });
  return { memory, multiply: instance.exports.multiply };
}

/**
 * The Silero v5 network for one sample rate, without a general ONNX runtime: streams share the weights, which are loaded
 * once per thread, and each stream costs only its 256 state values.
 */
export interface SileroNetwork {
  /** Samples of one decision (32 ms), and of the context before them. */
  readonly window: number;
  readonly context: number;
  /** The speech probability of `samples` (context, then window; full scale 1); updates `state` (h, then c). */
  run(samples: Float32Array, state: Float32Array): number;
}

export const STATE_SIZE = 256;
const HIDDEN = 128;

/** One dense or convolution layer in the kernel's layout. */
interface Layer {
  readonly weights: number;
  readonly bias: number;
  readonly blocks: number;
  readonly rows: number;
  readonly columns: number;
}

/** The tensors of the model's branch for a sample rate, by name suffix. */
function branchOf(tensors: ReadonlyMap<string, Tensor>, fftSize: number): (suffix: string) => Tensor {
  const basis = 'stft.forward_basis_buffer';
  const entry = [...tensors].find(([name, tensor]) => name.endsWith(basis) && tensor.dims[2] === fftSize);
  if (entry === undefined) throw new OnnxError('not a Silero v5 model');
  const prefix = entry[0].slice(0, -basis.length);
  return (suffix) => {
    const tensor = tensors.get(prefix + suffix);
    if (tensor === undefined) throw new OnnxError('a Silero v5 tensor is missing');
    return tensor;
  };
}

export function sileroNetwork(tensors: ReadonlyMap<string, Tensor>, sampleRate: SampleRate): SileroNetwork {
  const fftSize = sampleRate === 16_000 ? 256 : 128;
  const hop = fftSize / 2;
  const bins = fftSize / 2 + 1;
  const window = fftSize * 2;
  const context = fftSize / 4;
  const frames = 4;
  const tensor = branchOf(tensors, fftSize);

  let size = 0;
  const plan: (() => void)[] = [];
  const reserve = (floats: number): number => {
    const at = size;
    size += Math.ceil(floats / 4) * 16;
    return at;
  };
  let kernel: MatrixKernel | null = null;
  const view = (at: number, length: number): Float32Array =>
    new Float32Array(kernel!.memory.buffer, at, length);

  /** `weight(row, column)` is called once per element, after the memory is allocated. */
  const layer = (
    rows: number,
    columns: number,
    weight: (row: number, column: number) => number,
    biasOf: (row: number) => number,
  ): Layer => {
    const blocks = Math.ceil(rows / ROWS_PER_BLOCK);
    const made = {
      weights: reserve(blocks * ROWS_PER_BLOCK * columns),
      bias: reserve(blocks * ROWS_PER_BLOCK),
      blocks,
      rows,
      columns,
    };
    plan.push(() => {
      const weights = view(made.weights, blocks * ROWS_PER_BLOCK * columns);
      const bias = view(made.bias, blocks * ROWS_PER_BLOCK);
      for (let row = 0; row < rows; row++) {
        const start = Math.floor(row / ROWS_PER_BLOCK) * ROWS_PER_BLOCK * columns + (row % ROWS_PER_BLOCK);
        for (let column = 0; column < columns; column++) {
          weights[start + column * ROWS_PER_BLOCK] = weight(row, column);
        }
        bias[row] = biasOf(row);
      }
    });
    return made;
  };

  /** A kernel-3 convolution as a matrix over three neighbouring frames, `inputs` values each. */
  const convolution = (name: string, outputs: number, inputs: number, taps: readonly number[]): Layer => {
    const weight = tensor(`encoder.${name}.reparam_conv.weight`);
    const bias = tensor(`encoder.${name}.reparam_conv.bias`);
    if (weight.values.length !== outputs * inputs * 3) throw new OnnxError('unexpected layer size');
    return layer(
      outputs,
      inputs * taps.length,
      (row, column) =>
        weight.values[(row * inputs + (column % inputs)) * 3 + taps[Math.floor(column / inputs)]!]!,
      (row) => bias.values[row]!,
    );
  };

  const basis = tensor('stft.forward_basis_buffer').values;
  const spectrum = layer(
    bins * 2,
    fftSize,
    (row, column) => basis[row * fftSize + column]!,
    () => 0,
  );
  const first = convolution('0', 128, bins, [0, 1, 2]);
  const second = convolution('1', 64, 128, [0, 1, 2]);
  const third = convolution('2', 64, 64, [0, 1, 2]);
  // One frame is left: only the middle tap has data.
  const fourth = convolution('3', 128, 64, [1]);
  const [weightIh, weightHh] = [
    tensor('decoder.rnn.weight_ih').values,
    tensor('decoder.rnn.weight_hh').values,
  ];
  const [biasIh, biasHh] = [tensor('decoder.rnn.bias_ih').values, tensor('decoder.rnn.bias_hh').values];
  const gates = layer(
    4 * HIDDEN,
    2 * HIDDEN,
    (row, column) =>
      column < HIDDEN ? weightIh[row * HIDDEN + column]! : weightHh[row * HIDDEN + column - HIDDEN]!,
    (row) => biasIh[row]! + biasHh[row]!,
  );
  const outWeight = tensor('decoder.decoder.2.weight').values;
  const outBias = tensor('decoder.decoder.2.bias').values[0]!;

  // Feature maps have one frame of zero padding on each side for the convolutions.
  const inputAt = reserve(context + window + hop / 2 + fftSize);
  const spectrumAt = reserve(spectrum.blocks * ROWS_PER_BLOCK);
  const magnitudeAt = reserve((frames + 2) * bins);
  const firstAt = reserve((frames + 2) * 128);
  const secondAt = reserve(4 * 64);
  const thirdAt = reserve(64);
  const joinedAt = reserve(2 * HIDDEN);
  const gatesAt = reserve(4 * HIDDEN);

  kernel = openMatrixKernel(size);
  for (const fill of plan) fill();
  const { multiply } = kernel;
  const padded = context + window;
  const input = view(inputAt, padded + context);
  const complex = view(spectrumAt, bins * 2);
  const magnitude = view(magnitudeAt, (frames + 2) * bins);
  const firstMap = view(firstAt, (frames + 2) * 128);
  const secondMap = view(secondAt, 4 * 64);
  const thirdMap = view(thirdAt, 64);
  const joined = view(joinedAt, 2 * HIDDEN);
  const gateValues = view(gatesAt, 4 * HIDDEN);

  const apply = (step: Layer, x: number, out: number): void =>
    multiply(step.weights, x, step.bias, out, step.blocks, step.columns);
  const relu = (values: Float32Array, from: number, to: number): void => {
    for (let i = from; i < to; i++) if (values[i]! < 0) values[i] = 0;
  };

  return {
    window,
    context,
    run(samples, state) {
      input.set(samples);
      // Reflection padding on the right, without the edge sample.
      for (let i = 0; i < context; i++) input[padded + i] = input[padded - 2 - i]!;
      for (let frame = 0; frame < frames; frame++) {
        apply(spectrum, inputAt + frame * hop * 4, spectrumAt);
        const at = (frame + 1) * bins;
        for (let bin = 0; bin < bins; bin++) {
          const [real, imaginary] = [complex[bin]!, complex[bins + bin]!];
          magnitude[at + bin] = Math.sqrt(real * real + imaginary * imaginary);
        }
      }
      for (let frame = 0; frame < frames; frame++) {
        apply(first, magnitudeAt + frame * bins * 4, firstAt + (frame + 1) * 128 * 4);
      }
      relu(firstMap, 128, (frames + 1) * 128);
      apply(second, firstAt, secondAt + 64 * 4);
      apply(second, firstAt + 2 * 128 * 4, secondAt + 2 * 64 * 4);
      relu(secondMap, 64, 3 * 64);
      apply(third, secondAt, thirdAt);
      relu(thirdMap, 0, 64);
      apply(fourth, thirdAt, joinedAt);
      relu(joined, 0, HIDDEN);
      for (let i = 0; i < HIDDEN; i++) joined[HIDDEN + i] = state[i]!;
      apply(gates, joinedAt, gatesAt);
      let score = outBias;
      for (let i = 0; i < HIDDEN; i++) {
        const keep = sigmoid(gateValues[HIDDEN + i]!) * state[HIDDEN + i]!;
        const cell = keep + sigmoid(gateValues[i]!) * Math.tanh(gateValues[2 * HIDDEN + i]!);
        const hidden = sigmoid(gateValues[3 * HIDDEN + i]!) * Math.tanh(cell);
        state[HIDDEN + i] = cell;
        state[i] = hidden;
        if (hidden > 0) score += outWeight[i]! * hidden;
      }
      return sigmoid(score);
    },
  };
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Windows below this power (about -60 dBFS) contain no speech and skip the network. */
const QUIET_POWER = 33 * 33;
/** Quiet windows are skipped only while the last probability is below this. */
const IDLE_PROBABILITY = 0.1;
/** The network's state is reset after this many skipped windows (half a second). */
const FORGET_WINDOWS = 16;

/** Voice activity of one stream by a shared Silero network: 20 ms frames, one decision every 32 ms. */
export function openSilero(network: SileroNetwork, sampleRate: SampleRate): Vad {
  const { window, context } = network;
  const frameSize = sampleRate / 50;
  const samples = new Float32Array(context + window);
  const state = new Float32Array(STATE_SIZE);
  let filled = 0;
  let power = 0;
  let skipped = 0;
  let probability = 0;

  const decide = (): void => {
    if (power < QUIET_POWER * window && probability < IDLE_PROBABILITY) {
      probability = 0;
      if (++skipped === FORGET_WINDOWS) state.fill(0);
    } else {
      skipped = 0;
      probability = network.run(samples, state);
    }
    samples.copyWithin(0, window);
    filled = 0;
    power = 0;
  };

  return {
    process(frame) {
      if (frame.length !== frameSize) return probability;
      for (let i = 0; i < frame.length; i++) {
        const sample = frame[i]!;
        samples[context + filled++] = sample / 32_768;
        power += sample * sample;
        if (filled === window) decide();
      }
      return probability;
    },
    reset() {
      samples.fill(0);
      state.fill(0);
      filled = 0;
      power = 0;
      skipped = 0;
      probability = 0;
    },
    close: () => undefined,
  };
}
