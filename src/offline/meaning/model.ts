import { readFile } from 'node:fs/promises';
import {
  nativeOnnx,
  openOnnx,
  wasmOnnx,
  type Onnx,
  type OnnxSession,
  type WasmFiles,
} from '../../shared/onnx.ts';
import { WordPieces } from './word-pieces.ts';

/** Paths of a sentence embedding model in the form of BERT. */
export interface MeaningFiles {
  readonly net: string;
  /** `tokenizer.json` of Hugging Face, whose vocabulary is read. */
  readonly tokenizer: string;
  readonly wasm: WasmFiles;
  /** The native runtime, which is used where it can be loaded. */
  readonly native: string;
}

/** Turns sentences into vectors of length 1: the more alike their meaning, the larger the product of two. */
export class MeaningModel {
  readonly #runtime: Onnx;
  readonly #session: OnnxSession;
  readonly #pieces: WordPieces;

  private constructor(runtime: Onnx, session: OnnxSession, pieces: WordPieces) {
    this.#runtime = runtime;
    this.#session = session;
    this.#pieces = pieces;
  }

  /** Rejects with the reason why the model cannot be used. */
  static async load({ net, tokenizer, wasm, native }: MeaningFiles): Promise<MeaningModel> {
    const [runtime, by] = await runtimeOf(wasm, native);
    const { model } = JSON.parse(await readFile(tokenizer, 'utf8')) as {
      readonly model: { readonly vocab: Readonly<Record<string, number>> };
    };
    const session = await openOnnx(runtime, await readFile(net), by);
    return new MeaningModel(runtime, session, new WordPieces(model.vocab));
  }

  /** The mean of the pieces' vectors. */
  async vectorOf(text: string): Promise<Float32Array<ArrayBuffer>> {
    const ids = this.#pieces.idsOf(text);
    const { Tensor } = this.#runtime;
    const tensor = (values: readonly number[]) =>
      new Tensor('int64', BigInt64Array.from(values, BigInt), [1, ids.length]);
    const outputs = await this.#session.run({
      input_ids: tensor(ids),
      attention_mask: tensor(ids.map(() => 1)),
      token_type_ids: tensor(ids.map(() => 0)),
    });
    const { data, dims } = outputs[this.#session.outputNames[0] ?? ''] ?? { data: [], dims: [] };
    const size = dims[2] ?? 0;
    if (size === 0 || data.length !== ids.length * size)
      throw new Error('the model answers with other vectors');
    const mean = new Float32Array(size);
    for (let at = 0; at < data.length; at++) mean[at % size] = (mean[at % size] ?? 0) + (data[at] ?? 0);
    const length = Math.hypot(...mean);
    return mean.map((value) => value / length);
  }

  release(): Promise<void> {
    return this.#session.release();
  }
}

async function runtimeOf(wasm: WasmFiles, native: string): Promise<readonly [Onnx, 'cpu' | 'wasm']> {
  try {
    return [nativeOnnx(native), 'cpu'];
  } catch {
    return [await wasmOnnx(wasm), 'wasm'];
  }
}
