import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { setThreadPriority } from '../../shared/thread-priority.ts';
import { link } from '../../shared/threads/remote.ts';
import { expectedGrammar } from './grammar.ts';
import { PhraseDecoder } from './phrase-decoder.ts';
import { primingSpeech, widened } from './telephone-speech.ts';
import type { RecogniserData, SphinxApi, SphinxEvents } from './pocketsphinx.ts';
import { loadSphinx } from './sphinx-library.ts';

setThreadPriority('speech');

/** A decoder that has heard speech; null: the thread has to end. */
function preparedDecoder(options: RecogniserData, calls: NativeCalls): PhraseDecoder | null {
  const library = loadSphinx();
  if (calls.isStopping) return null;
  const decoder = new PhraseDecoder(library, options.modelDirectory);
  // Looks up every word of the built-in phrases at start instead of during a call.
  decoder.prepare(
    expectedGrammar({ kinds: ['yes_no', 'number', 'digits', 'date', 'time', 'choice'], phrases: [] }, []),
  );
  const speech = calls.isStopping ? null : primingSpeech(options);
  if (speech === null) return decoder;
  const grammar = expectedGrammar(null, []);
  for (let round = 0; round < 2 && !calls.isStopping; round++) decoder.decode(grammar, widened(speech, 8000));
  return decoder;
}

/** Runs a decoder outside the call worker's thread, because its calls block for tens of milliseconds. */
function serve(port: NonNullable<typeof parentPort>, options: RecogniserData): void {
  const calls = new NativeCalls(options.stop);
  const decoder = calls.run(() => preparedDecoder(options, calls)) ?? null;
  if (decoder === null) return;
  const ends = link<SphinxEvents, never, SphinxApi>(port);
  ends.remote.send.ready();
  ends.serve({
    api: {
      prepare: (grammar) => {
        try {
          calls.run(() => decoder.prepare(grammar));
        } catch {
          // The utterance that needs the grammar prepares it again, and its failure is reported.
        }
      },
      decode: (grammar, pcm, sampleRate) => {
        const heard = calls.run(() => decoder.decode(grammar, widened(pcm, sampleRate)));
        if (heard === undefined) throw new Error('speech recogniser stopped');
        return heard;
      },
      stop: () => void calls.release(() => decoder.close()).finally(() => port.close()),
    },
  });
}

if (parentPort !== null) serve(parentPort, workerData as RecogniserData);
