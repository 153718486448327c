import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { WasmFiles } from '../../../shared/onnx.ts';
import { nativeModule } from '../../models/onnx-runtime.ts';
import type { InstalledModel } from '../../models/installed.ts';
import { Lexicon, type Entries, type Pronunciation } from './lexicon.ts';
import type { Speller } from './pronounce.ts';
import { taggerOf, type TaggerData } from './tagger.ts';
import { wordingOf, type Wording, type WordingData } from './wording.ts';

/**
 * Entries of the catalogue: the first voice, whose folder has the dictionaries of all, and the runtime of the nets where no
 * native one is installed.
 */
const BASE = 'hibari-en-us';
const RUNTIME = 'onnxruntime-web';
/** The net of each voice: its entry, and its file there. */
const NETS: ReadonlyMap<string, readonly [id: string, file: string]> = new Map([
  ['heart', [BASE, 'hibari.onnx']],
  ['kore', ['hibari-kore', 'af_kore.int8.onnx']],
  ['fenrir', ['hibari-fenrir', 'am_fenrir_v2.int8.onnx']],
]);

/** Names of the voices, the first one first. */
export const HIBARI_VOICES: readonly string[] = [...NETS.keys()];

/** Finds an entry of the catalogue; null: it is not installed. */
export type FindModel = (id: string) => InstalledModel | null;

/** Paths of what every voice loads. */
export interface HibariFiles {
  readonly folder: string;
  readonly wasm: WasmFiles;
  /** The native runtime, which is used where it can be loaded. */
  readonly native: string;
}

/** The file of a voice's net; null: it is not installed. */
export function netOf(find: FindModel, voice: string): string | null {
  const [id, file] = NETS.get(voice) ?? [];
  return id === undefined || file === undefined ? null : (find(id)?.file(file) ?? null);
}

/** The files of the natural voices; null: they are not installed. */
export function hibariFiles(find: FindModel): HibariFiles | null {
  const [voice, runtime] = [find(BASE), find(RUNTIME)];
  if (voice === null || runtime === null) return null;
  const wasm = {
    script: runtime.file('ort.wasm.bundle.min.mjs'),
    binary: runtime.file('ort-wasm-simd-threaded.wasm'),
  };
  return { folder: voice.folder, wasm, native: nativeModule(find) };
}

/** Reads a JSON file of the voices. */
export async function readTable<T>(folder: string, name: string): Promise<T> {
  const bytes = await readFile(`${folder}/${name}`);
  return JSON.parse((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as T;
}

/** Loads the rules and dictionaries by which text becomes phonemes. */
export async function loadSpeller(folder: string): Promise<{ speller: Speller; wording: Wording }> {
  const entries = async (name: string): Promise<Entries> =>
    new Map(Object.entries(await readTable<Record<string, Pronunciation>>(folder, name)));
  const lexicon = new Lexicon(
    await entries('lexicon_us_gold.json.gz'),
    await entries('lexicon_us_silver.json.gz'),
  );
  const exceptions = await readTable<Record<string, string[]>>(folder, 'tokenizer_exceptions.json');
  return {
    speller: {
      lexicon,
      tagger: taggerOf(await readTable<TaggerData>(folder, 'tagger.json.gz')),
      exceptions: new Map(Object.entries(exceptions)),
    },
    wording: wordingOf(await readTable<WordingData>(folder, 'normalize.json')),
  };
}
