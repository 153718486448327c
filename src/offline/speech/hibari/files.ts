import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { WasmFiles } from '../../../shared/onnx.ts';
import type { InstalledModel } from '../../models/installed.ts';
import { Lexicon, type Entries, type Pronunciation } from './lexicon.ts';
import type { Speller } from './pronounce.ts';
import { taggerOf, type TaggerData } from './tagger.ts';
import { wordingOf, type Wording, type WordingData } from './wording.ts';

/** Entries of the catalogue: the voice, and the runtime of its nets where no native one is installed. */
const VOICE = 'hibari-en-us';
const RUNTIME = 'onnxruntime-web';

/** Paths of what the voice loads. */
export interface HibariFiles {
  /** Folder of the voice. */
  readonly folder: string;
  readonly wasm: WasmFiles;
}

/** The files of the voice; null: it is not installed. */
export function hibariFiles(find: (id: string) => InstalledModel | null): HibariFiles | null {
  const [voice, runtime] = [find(VOICE), find(RUNTIME)];
  if (voice === null || runtime === null) return null;
  const wasm = {
    script: runtime.file('ort.wasm.bundle.min.mjs'),
    binary: runtime.file('ort-wasm-simd-threaded.wasm'),
  };
  return { folder: voice.folder, wasm };
}

/** Reads a JSON file of the voice. */
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
