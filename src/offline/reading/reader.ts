import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOnnx, type Onnx, type OnnxSession, type OnnxTensor } from '../../shared/onnx.ts';
import { readTokens, textOf, type Tokens } from './tokens.ts';

/** The rate of the audio that is read. */
export const READING_RATE = 16_000;

/** What a whole utterance says. */
export interface Reading {
  /** Empty: nothing, or no end was found. */
  readonly text: string;
  /** Mean probability of its pieces, 0 to 1. */
  readonly confidence: number;
}

/** Files of a Moonshine model in its folder. */
const ENCODER = 'encoder_model.ort';
const DECODER = 'decoder_model_merged.ort';
const TOKENS = 'tokenizer.bin';

const BEGIN = 1;
const END = 2;
/** Nobody says more: a decoder that goes on repeats itself. */
const PIECES_PER_SECOND = 7;
const LEAST_PIECES = 8;
/** Below it the net has no frame. */
const LEAST_SAMPLES = READING_RATE / 10;
const HEADS = 8;
const HEAD_SIZE = 36;

const NOTHING: Reading = { text: '', confidence: 0 };

type Named = Record<string, OnnxTensor>;

/** Moonshine (tiny, English): reads one utterance after the other, each as a whole. Not for two at a time. */
export class Reader {
  readonly #runtime: Onnx;
  readonly #encoder: OnnxSession;
  readonly #decoder: OnnxSession;
  readonly #tokens: Tokens;

  private constructor(runtime: Onnx, encoder: OnnxSession, decoder: OnnxSession, tokens: Tokens) {
    this.#runtime = runtime;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#tokens = tokens;
  }

  /** Rejects where a file of the folder is missing or no such model. */
  static async open(runtime: Onnx, folder: string): Promise<Reader> {
    const tokens = readTokens(await readFile(join(folder, TOKENS)));
    const encoder = await openOnnx(runtime, join(folder, ENCODER), 'cpu');
    const decoder = await openOnnx(runtime, join(folder, DECODER), 'cpu');
    return new Reader(runtime, encoder, decoder, tokens);
  }

  /** `pcm`: an utterance at `READING_RATE`. */
  async read(pcm: Int16Array): Promise<Reading> {
    if (pcm.length < LEAST_SAMPLES) return NOTHING;
    const heard = await this.#encode(pcm);
    const most = Math.max(LEAST_PIECES, Math.ceil((pcm.length / READING_RATE) * PIECES_PER_SECOND));
    const pieces: number[] = [];
    let sure = 0;
    let past = this.#noPast();
    for (let last = BEGIN; pieces.length < most;) {
      const outputs = await this.#decoder.run({ ...heard, ...past, ...this.#step(last, pieces.length > 0) });
      const { piece, probability } = mostLikely(outputs['logits']?.data ?? []);
      if (piece === END) break;
      pieces.push(piece);
      sure += probability;
      past = pastOf(outputs, past, pieces.length > 1);
      last = piece;
    }
    if (pieces.length === 0 || pieces.length === most) return NOTHING;
    return { text: textOf(pieces, this.#tokens), confidence: sure / pieces.length };
  }

  async release(): Promise<void> {
    await Promise.all([this.#encoder.release(), this.#decoder.release()]);
  }

  async #encode(pcm: Int16Array): Promise<Named> {
    const { Tensor } = this.#runtime;
    const samples = Float32Array.from(pcm, (sample) => sample / 32_768);
    const inputs: Named = { input_values: new Tensor('float32', samples, [1, samples.length]) };
    if (this.#encoder.inputNames.includes('attention_mask'))
      inputs['attention_mask'] = this.#ones(samples.length);
    const state = (await this.#encoder.run(inputs))['last_hidden_state'];
    if (state === undefined) throw new Error('the encoder answers with no state');
    const named: Named = { encoder_hidden_states: state };
    // The decoder takes the mask of the samples, and thins it out to that of the frames itself.
    const mask = 'encoder_attention_mask';
    if (this.#decoder.inputNames.includes(mask)) named[mask] = this.#ones(samples.length);
    return named;
  }

  #ones(length: number): OnnxTensor {
    return new this.#runtime.Tensor('int64', new BigInt64Array(length).fill(1n), [1, length]);
  }

  #step(last: number, hasPast: boolean): Named {
    const { Tensor } = this.#runtime;
    return {
      input_ids: new Tensor('int64', BigInt64Array.of(BigInt(last)), [1, 1]),
      use_cache_branch: new Tensor('bool', Uint8Array.of(hasPast ? 1 : 0), [1]),
    };
  }

  #noPast(): Named {
    const empty = new this.#runtime.Tensor('float32', new Float32Array(0), [1, HEADS, 0, HEAD_SIZE]);
    const names = this.#decoder.inputNames.filter((name) => name.startsWith('past_key_values.'));
    return Object.fromEntries(names.map((name) => [name, empty]));
  }
}

/** What the decoder keeps of the pieces so far. Of the audio it keeps what its first step made. */
function pastOf(outputs: Readonly<Record<string, OnnxTensor>>, before: Named, keepsAudio: boolean): Named {
  return Object.fromEntries(
    Object.entries(before).map(([name, kept]) => {
      const made = outputs[name.replace('past_key_values', 'present')];
      return [name, made === undefined || (keepsAudio && name.includes('.encoder.')) ? kept : made];
    }),
  );
}

/** The piece with the highest value, and its probability among all. */
function mostLikely(logits: ArrayLike<number>): { piece: number; probability: number } {
  let piece = END;
  let most = -Infinity;
  for (let i = 0; i < logits.length; i++) {
    const value = logits[i] as number;
    if (value > most) [piece, most] = [i, value];
  }
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp((logits[i] as number) - most);
  return { piece, probability: 1 / sum };
}
