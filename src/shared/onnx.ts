import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { optionalPackage } from './optional-package.ts';

/** What is used of ONNX Runtime: its packages `onnxruntime-node` (native) and `onnxruntime-web` (WASM) have the same API. */
export interface OnnxTensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}
interface NewTensor {
  new (type: 'float32', data: Float32Array, dims: readonly number[]): OnnxTensor;
  new (type: 'int64', data: BigInt64Array, dims: readonly number[]): OnnxTensor;
  new (type: 'bool', data: Uint8Array, dims: readonly number[]): OnnxTensor;
}
interface NewSession {
  create(model: string | Uint8Array, options: object): Promise<OnnxSession>;
}
export interface Onnx {
  readonly Tensor: NewTensor;
  readonly InferenceSession: NewSession;
}

export const NATIVE_ONNX = 'onnxruntime-node';

/** One thread, which is the caller's. */
const OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
};

/** Opens a model of a native runtime, or of the WASM one. */
export const openOnnx = (
  runtime: Onnx,
  model: string | Uint8Array,
  by: 'cpu' | 'wasm',
): Promise<OnnxSession> => runtime.InferenceSession.create(model, { ...OPTIONS, executionProviders: [by] });

/** The native runtime of an installed package. Throws an error that says how to install it. */
export const nativeOnnx = (module: string): Onnx => optionalPackage(module) as Onnx;

/** The two files of the package `onnxruntime-web` that run models without a browser. */
export interface WasmFiles {
  readonly script: string;
  readonly binary: string;
}
interface WasmOnnx extends Onnx {
  readonly env: {
    logLevel: string;
    readonly wasm: { numThreads: number; wasmBinary?: Uint8Array };
  };
}

/** The WASM runtime from its files, on this thread alone. Rejects when they cannot be loaded. */
export async function wasmOnnx({ script, binary }: WasmFiles): Promise<Onnx> {
  const runtime = (await import(/* @vite-ignore */ pathToFileURL(script).href)) as WasmOnnx;
  runtime.env.logLevel = 'error';
  runtime.env.wasm.numThreads = 1;
  runtime.env.wasm.wasmBinary = await readFile(binary);
  const create: NewSession['create'] = async (model, options) => {
    const session = await runtime.InferenceSession.create(model, options);
    // It is compiled now, and not read again.
    delete runtime.env.wasm.wasmBinary;
    return session;
  };
  return { Tensor: runtime.Tensor, InferenceSession: { create } };
}
