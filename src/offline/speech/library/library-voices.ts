import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { childEnvironment } from '../../../shared/child-environment.ts';
import { optionalPackage } from '../../../shared/optional-package.ts';
import { scratchFolder } from '../../../shared/scratch.ts';
import type { Sentence } from '../natural-api.ts';
import type { LoadedVoices } from '../serve-voices.ts';
import { ttsModel, type TtsConfig, type TtsModel } from './model.ts';
import type { LibraryFiles } from './voices.ts';

interface Sound {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

/** What is used of the package `sherpa-onnx-node`. */
interface Tts {
  generate(request: {
    readonly text: string;
    readonly sid: number;
    readonly speed: number;
    readonly enableExternalBuffer: false;
  }): Sound;
}
export interface TtsPackage {
  readonly OfflineTts: new (config: TtsConfig) => Tts;
}

/** A voice that is slower leaves holes in what the caller hears. */
const LEAST_SPEED = 1.2;
/** Bytes that are written beside the net while it is loaded. */
const SPARE = 60_000_000;
const TRIAL = 'one two three four five six seven eight nine ten.';

/** Speaks with sherpa-onnx on the calling thread. A model is loaded with the first sentence of its voices. */
export class LibraryVoices implements LoadedVoices {
  readonly #library: TtsPackage;
  readonly #espeakData: string;
  /** Loaded models, or why one cannot be used, by their keys. */
  readonly #models = new Map<string, Tts | Error>();

  private constructor(library: TtsPackage, espeakData: string) {
    this.#library = library;
    this.#espeakData = espeakData;
  }

  /** Throws the reason why no voice can be used. */
  static load({ module, espeakCommand }: LibraryFiles): LibraryVoices {
    return new LibraryVoices(optionalPackage(module) as TtsPackage, espeakDataOf(espeakCommand));
  }

  /** Loads the voice; a model that cannot be used fails its sentences alone. */
  open(net: string): Promise<unknown> {
    return Promise.resolve(this.faultOf(net));
  }

  /** Loads the voice. Returns why it cannot be used; null: it speaks. */
  faultOf(net: string): string | null {
    const model = this.#modelOf(ttsModel(net));
    return model instanceof Error ? model.message : null;
  }

  // oxlint-disable-next-line require-yield -- A sentence is one piece.
  async *speak({ text, net, speed }: Sentence): AsyncGenerator<Sound> {
    const model = ttsModel(net);
    const tts = this.#modelOf(model);
    if (tts instanceof Error) throw tts;
    yield tts.generate({ text, sid: model.speaker, speed, enableExternalBuffer: false });
  }

  release(): Promise<void> {
    this.#models.clear();
    return Promise.resolve();
  }

  #modelOf(model: TtsModel): Tts | Error {
    const known = this.#models.get(model.key);
    if (known !== undefined) return known;
    const made = this.#load(model);
    this.#models.set(model.key, made);
    return made;
  }

  #load(model: TtsModel): Tts | Error {
    const folder = scratchFolder('voice', model.bytes + SPARE);
    try {
      const tts = new this.#library.OfflineTts(model.prepare(folder, this.#espeakData));
      const startedAt = performance.now();
      const { samples, sampleRate } = tts.generate({
        text: TRIAL,
        sid: model.speaker,
        speed: 1,
        enableExternalBuffer: false,
      });
      const speed = samples.length / sampleRate / ((performance.now() - startedAt) / 1000);
      if (speed >= LEAST_SPEED) return tts;
      return new Error(
        `this machine is too slow for the voice: a second of speech takes ${(1 / speed).toFixed(1)} s`,
      );
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The folder of espeak-ng's phonemes. */
export function espeakDataOf(command: string): string {
  let answer: string;
  try {
    answer = execFileSync(command, ['--version'], {
      env: childEnvironment(),
      encoding: 'utf8',
      timeout: 5000,
    });
  } catch (error) {
    throw new Error('espeak-ng is not installed, whose phonemes the voice needs', { cause: error });
  }
  const [, folder] = /Data at: (.+)/.exec(answer) ?? [];
  if (folder === undefined) throw new Error('espeak-ng --version names no folder of data');
  return folder.trim();
}
