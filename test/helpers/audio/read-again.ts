import { createResampler, resample } from '@callwright/audio';
import { READING_RATE, Reader } from '../../../src/offline/reading/reader.ts';
import { readWords } from '../../../src/offline/reading/read-words.ts';
import type { ReaderFiles } from '../../../src/offline/words/ear-api.ts';
import { nativeOnnx } from '../../../src/shared/onnx.ts';

const RATE = 8_000;

/** The words of an utterance as calls have them: those of the recogniser, unless the net that reads it again is surer. */
export type ReadAgain = (pcm: Int16Array, text: string) => Promise<string>;

/** Opens the net. Rejects when its files are missing. */
export async function readAgain({ folder, module }: ReaderFiles): Promise<ReadAgain> {
  const reader = await Reader.open(nativeOnnx(module), folder);
  return async (pcm, text) => {
    const wide = resample(createResampler(RATE, READING_RATE), pcm, true);
    return readWords({ text, confidence: 1, words: [] }, await reader.read(wide)).text;
  };
}
