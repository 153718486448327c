import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { setThreadPriority } from '../../shared/thread-priority.ts';
import { expectedGrammar } from './grammar.ts';
import { PhraseDecoder } from './phrase-decoder.ts';
import { primingSpeech, widened } from './telephone-speech.ts';
import type { FromRecogniser, RecogniserData, ToRecogniser } from './pocketsphinx.ts';
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
  const post = (message: FromRecogniser): void => port.postMessage(message);
  const decoder = calls.run(() => preparedDecoder(options, calls)) ?? null;
  if (decoder === null) return;
  post({ type: 'ready' });

  port.on('message', (message: ToRecogniser) => {
    if (message.type === 'stop') {
      void calls.release(() => decoder.close()).finally(() => port.close());
      return;
    }
    calls.run(() => {
      try {
        if (message.type === 'prepare') {
          decoder.prepare(message.grammar);
          return;
        }
        const heard = decoder.decode(message.grammar, widened(message.pcm, message.sampleRate));
        post({ type: 'decoded', id: message.id, ...heard });
      } catch (error) {
        if (message.type !== 'decode') return;
        const text = error instanceof Error ? error.message : String(error);
        post({ type: 'failed', id: message.id, message: text });
      }
    });
  });
}

if (parentPort !== null) serve(parentPort, workerData as RecogniserData);
