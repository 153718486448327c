import { nativeOnnx, openOnnx, wasmOnnx, type Onnx, type OnnxSession } from '../../../shared/onnx.ts';
import { loadSpeller, readTable, type HibariFiles } from './files.ts';
import { Reader, type AlphabetData } from './unknown-words.ts';
import { BINS, waveform, type Frames } from './waveform.ts';
import type { Wording } from './wording.ts';
import { readFile } from 'node:fs/promises';
import type { Sentence } from '../natural-api.ts';

/**
 * Longest input of the net, in phonemes, 12 s of speech: it takes twice as many, with twice the memory. A longer sentence is
 * cut at its marks, or between words.
 */
const MOST_PHONEMES = 200;

/** The runtime of the nets, and the name of its processor. */
async function runtimeOf({ wasm, native }: HibariFiles): Promise<{ runtime: Onnx; by: 'cpu' | 'wasm' }> {
  try {
    return { runtime: nativeOnnx(native), by: 'cpu' };
  } catch {
    return { runtime: await wasmOnnx(wasm), by: 'wasm' };
  }
}

/** hibari's voices: they speak American English at 24 kHz, each with a net of its own. */
export class HibariVoice {
  readonly #runtime: Onnx;
  readonly #by: 'cpu' | 'wasm';
  /** Of the voices that have spoken, by their files. */
  readonly #nets = new Map<string, Promise<OnnxSession>>();
  readonly #unknown: OnnxSession;
  readonly #reader: Reader;
  readonly #wording: Wording;
  readonly #ids: ReadonlyMap<string, number>;

  private constructor(parts: {
    runtime: Onnx;
    by: 'cpu' | 'wasm';
    unknown: OnnxSession;
    reader: Reader;
    wording: Wording;
    ids: ReadonlyMap<string, number>;
  }) {
    this.#runtime = parts.runtime;
    this.#by = parts.by;
    this.#unknown = parts.unknown;
    this.#reader = parts.reader;
    this.#wording = parts.wording;
    this.#ids = parts.ids;
  }

  /** Rejects with the reason why the voices cannot be used. */
  static async load(files: HibariFiles): Promise<HibariVoice> {
    const { folder } = files;
    const { runtime, by } = await runtimeOf(files);
    const unknown = await openOnnx(runtime, await readFile(`${folder}/oov.onnx`), by);
    const { speller, wording } = await loadSpeller(folder);
    const reader = new Reader(speller, runtime, unknown, await readTable<AlphabetData>(folder, 'oov.json'));
    const ids = new Map(Object.entries(await readTable<Record<string, number>>(folder, 'vocab.json')));
    return new HibariVoice({ runtime, by, unknown, reader, wording, ids });
  }

  /** The phonemes of a sentence, for checks. */
  phonemes(text: string): Promise<string> {
    return this.#reader.read(this.#wording(text));
  }

  /** Opens the net of a file before its first sentence. */
  open(net: string): Promise<OnnxSession> {
    const known = this.#nets.get(net);
    if (known !== undefined) return known;
    const opening = readFile(net).then((bytes) => openOnnx(this.#runtime, bytes, this.#by));
    this.#nets.set(net, opening);
    // A file that is fetched anew may be opened.
    opening.catch(() => this.#nets.delete(net));
    return opening;
  }

  /**
   * Speaks a sentence in pieces, full scale 1. `net`: the file of the voice; `speed`: 0.5 to 2. `isStopped` ends it between
   * two pieces.
   */
  async *speak(
    { text, net, speed }: Sentence,
    isStopped: () => boolean = () => false,
  ): AsyncGenerator<Float32Array> {
    const session = await this.open(net);
    for (const phonemes of piecesOf(await this.phonemes(text))) {
      if (isStopped()) return;
      const ids = phonemes.split('').flatMap((one) => this.#ids.get(one) ?? []);
      if (ids.length > 0) yield waveform(await this.#frames(session, [0, ...ids, 0], speed));
    }
  }

  async release(): Promise<void> {
    const nets = await Promise.allSettled(this.#nets.values());
    for (const net of nets) if (net.status === 'fulfilled') await net.value.release();
    await this.#unknown.release();
  }

  async #frames(net: OnnxSession, ids: readonly number[], speed: number): Promise<Frames> {
    const { Tensor } = this.#runtime;
    const outputs = await net.run({
      ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      speed: new Tensor('float32', Float32Array.of(speed), [1]),
    });
    const [harmonic, phase, noise, free, freePhase, pitch] = net.outputNames.map(
      (name) => outputs[name]?.data as Float32Array | undefined,
    );
    const count = pitch?.length ?? 0;
    const parts = { harmonic, phase, noise, free, freePhase };
    const isWhole = Object.values(parts).every((part) => part?.length === count * BINS);
    if (count === 0 || !isWhole) throw new Error('the net of the voice answers with other frames');
    return { ...(parts as Omit<Frames, 'count' | 'pitch'>), pitch: pitch as Float32Array, count };
  }
}

/** Cuts phonemes into inputs of the net. */
export function piecesOf(phonemes: string): string[] {
  const pieces: string[] = [];
  let open = '';
  const add = (part: string): void => {
    if (open !== '' && open.length + part.length + 1 > MOST_PHONEMES) {
      pieces.push(open);
      open = '';
    }
    open = open === '' ? part : `${open} ${part}`;
  };
  for (const clause of phonemes.split(/(?<=[,;:—]) /)) {
    if (clause.length <= MOST_PHONEMES) add(clause);
    else for (const word of clause.split(' ')) add(word.slice(0, MOST_PHONEMES));
  }
  if (open !== '') pieces.push(open);
  return pieces;
}
