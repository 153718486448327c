import type { FindModel } from '../hibari/files.ts';
import { LibraryVoices } from './library-voices.ts';
import { installedOfLibrary, type LibraryFiles, VOICE_PACKAGE } from './voices.ts';

/** Loads every installed voice of sherpa-onnx on this thread. `fault`: why it cannot be used. */
export function tryLibraryVoices(
  find: FindModel,
  {
    module = VOICE_PACKAGE,
    espeakCommand = 'espeak-ng',
    modelsDir,
  }: Partial<LibraryFiles> & { readonly modelsDir?: string } = {},
): { readonly voice: string; readonly fault: string | null }[] {
  const nets = [...installedOfLibrary(find, { module, espeakCommand }, modelsDir).nets];
  if (nets.length === 0) return [];
  const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  let voices: LibraryVoices;
  try {
    voices = LibraryVoices.load({ module, espeakCommand });
  } catch (error) {
    return nets.map(([voice]) => ({ voice, fault: messageOf(error) }));
  }
  return nets.map(([voice, net]) => ({ voice, fault: voices.faultOf(net) }));
}
