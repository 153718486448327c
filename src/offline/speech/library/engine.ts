import type { FindModel } from '../hibari/files.ts';
import { NaturalEngine, type NaturalOptions } from '../natural-engine.ts';
import { installedOfLibrary, type LibraryFiles } from './voices.ts';

/** The voices of Piper, Kokoro and Kitten, which sherpa-onnx speaks. `find`: an entry of the catalogue; null: it is not installed. */
export const libraryEngine = ({
  find,
  files,
  modelsDir,
  ...options
}: Omit<NaturalOptions, 'kind'> & {
  readonly find: FindModel;
  readonly files: LibraryFiles;
  /** Where the operator's folders are; absent: there are none. */
  readonly modelsDir?: string;
}): NaturalEngine =>
  new NaturalEngine({
    ...options,
    kind: {
      thread: new URL('./library-voice.thread.ts', import.meta.url),
      look: () => installedOfLibrary(find, files, modelsDir),
    },
  });
