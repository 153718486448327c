import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { primingSpeech, widened } from '../recogniser/telephone-speech.ts';
import { pronunciations } from '../recogniser/pronunciations.ts';
import { loadSphinx, type SphinxLibrary } from '../recogniser/sphinx-library.ts';
import { NativeCalls } from '../../shared/native-threads.ts';
import { scratchFolder } from '../../shared/scratch.ts';
import { link } from '../../shared/threads/remote.ts';
import { AGENT_PATTERNS, OTHER_WORDS } from './agent-speech.ts';
import type { CalleeRecogniserApi, RecogniserData } from './recogniser.ts';
import { languageModel } from './language-model.ts';

/** A decoder with the installed acoustic model and our own dictionary and language model. */
function openDecoder(library: SphinxLibrary, modelDirectory: string): unknown {
  const { arpa, words } = languageModel(AGENT_PATTERNS, OTHER_WORDS);
  const pronounce = pronunciations(readFileSync(join(modelDirectory, 'cmudict-en-us.dict'), 'latin1'));
  const entries = words.flatMap((word) =>
    pronounce(word).map((phones, form) => `${form === 0 ? word : `${word}(${form + 1})`} ${phones}\n`),
  );
  const scratch = scratchFolder('ear');
  try {
    const [model, dictionary] = [join(scratch, 'agents.lm'), join(scratch, 'agents.dict')];
    writeFileSync(model, arpa);
    writeFileSync(dictionary, entries.join(''));
    const files = ['-hmm', join(modelDirectory, 'en-us'), '-dict', dictionary, '-lm', model];
    const decoder = library.init(files);
    if (decoder === null) throw new Error('the PocketSphinx acoustic model could not be loaded');
    return decoder;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Hear = (pcm: Int16Array) => string;

/** A decoder that has heard speech; null: the thread has to end. */
function prepared(modelDirectory: string, calls: NativeCalls): { hear: Hear; close(): void } | null {
  const library = loadSphinx();
  if (calls.isStopping) return null;
  const decoder = openDecoder(library, modelDirectory);
  const hear: Hear = (pcm) => {
    library.startUtterance(decoder);
    library.processRaw(decoder, pcm, pcm.length, 0, 0);
    library.endUtterance(decoder);
    return (library.hypothesis(decoder, new Int32Array(1)) ?? '').replace(/\(\d+\)/g, '');
  };
  // The decoder adapts to level and spectrum; priming it keeps the first utterance recognisable.
  const commands = { fliteCommand: 'flite', espeakCommand: 'espeak-ng' };
  const speech = calls.isStopping ? null : primingSpeech(commands);
  if (speech !== null) {
    for (let round = 0; round < 2 && !calls.isStopping; round++) hear(widened(speech, 8000));
  }
  return { hear, close: () => void library.free(decoder) };
}

/** Decodes in its own thread, so that decoding does not delay the carrier's media. */
function serve(port: NonNullable<typeof parentPort>, { modelDirectory, stop }: RecogniserData): void {
  const calls = new NativeCalls(stop);
  const decoder = calls.run(() => prepared(modelDirectory, calls)) ?? null;
  if (decoder === null) return;
  link<object, never, CalleeRecogniserApi>(port).serve({
    api: {
      hear: (pcm, sampleRate) => {
        const text = calls.run(() => decoder.hear(widened(pcm, sampleRate)));
        if (text === undefined) throw new Error('the recogniser has to end');
        return text;
      },
      stop: () => void calls.release(() => decoder.close()).finally(() => port.close()),
    },
  });
}

if (parentPort !== null) serve(parentPort, workerData as RecogniserData);
