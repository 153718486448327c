import type { Language } from '@callwright/language';
import { hasPackage } from '../../../shared/optional-package.ts';
import type { InstalledVoices } from '../natural-engine.ts';
import type { FindModel } from '../hibari/files.ts';
import { ownVoices, readOwnKey } from './own-voices.ts';

/** The package that speaks, beside the service. */
export const VOICE_PACKAGE = 'sherpa-onnx-node';

/** What every voice of sherpa-onnx needs beside its model. */
export interface LibraryFiles {
  readonly module: string;
  /** Its `--version` names the folder of the phonemes. */
  readonly espeakCommand: string;
}

interface LibraryVoice {
  /** The entry of the catalogue, and the voice's file there: the net of Piper, or the style of one of Kokoro's voices. */
  readonly model: string;
  readonly file: string;
  readonly languages: readonly Language[];
  /** The variant of espeak-ng that speaks where this voice cannot. */
  readonly instead: string;
}

/** Voices of Piper and Kokoro by their names. */
const VOICES: ReadonlyMap<string, LibraryVoice> = new Map([
  [
    'joe',
    {
      model: 'piper-en-us-joe',
      file: 'en_US-joe-medium.onnx',
      languages: ['en-US', 'en-IN', 'en-AU'],
      instead: 'm3',
    },
  ],
  ['hf_alpha', { model: 'kokoro-v1', file: 'voices/hf_alpha.bin', languages: ['hi-IN'], instead: 'f3' }],
  ['hm_omega', { model: 'kokoro-v1', file: 'voices/hm_omega.bin', languages: ['hi-IN'], instead: 'm1' }],
]);

/** What the plan of a sentence needs to know of a voice, by its key; null: sherpa-onnx has none of that key. */
export function libraryVoice(
  voiceKey: string,
): (Pick<LibraryVoice, 'languages' | 'instead'> & { readonly name: string }) | null {
  const [engine, name = ''] = voiceKey.split(':');
  const voice = engine === 'library' ? VOICES.get(name) : undefined;
  return voice === undefined ? readOwnKey(voiceKey) : { ...voice, name };
}

/** The file of a voice; null: its model is not installed. */
export function libraryNet(find: FindModel, name: string): string | null {
  const voice = VOICES.get(name);
  return voice === undefined ? null : (find(voice.model)?.file(voice.file) ?? null);
}

/** The voices that are installed, and those of the operator's folders in `modelsDir`. Without the package none can be used. */
export function installedOfLibrary(
  find: FindModel,
  { module, espeakCommand }: LibraryFiles,
  modelsDir?: string,
): InstalledVoices {
  const ofCatalogue = [...VOICES.keys()].flatMap((name) => {
    const net = libraryNet(find, name);
    return net === null ? [] : [[name, net] as const];
  });
  const own = modelsDir === undefined ? [] : ownVoices(modelsDir);
  const nets = new Map([...ofCatalogue, ...own.map(({ engineName, net }) => [engineName, net] as const)]);
  return { files: nets.size > 0 && hasPackage(module) ? { module, espeakCommand } : null, nets };
}
