import { parentPort, workerData } from 'node:worker_threads';
import { isRaised } from '../../shared/stop-flag.ts';
import { setThreadPriority } from '../../shared/thread-priority.ts';
import { expectedGrammar } from './grammar.ts';
import { PhraseDecoder } from './phrase-decoder.ts';
import { primingSpeech, widened } from './telephone-speech.ts';
import type { FromRecogniser, RecogniserData, ToRecogniser } from './pocketsphinx.ts';
import { loadSphinx } from './sphinx-library.ts';

setThreadPriority('speech');

/** Runs a decoder outside the call worker's thread, because its calls block for tens of milliseconds. */
function serve(port: NonNullable<typeof parentPort>, options: RecogniserData): void {
  const { stop } = options;
  const post = (message: FromRecogniser): void => port.postMessage(message);
  const library = loadSphinx();
  if (isRaised(stop)) return;
  const decoder = new PhraseDecoder(library, options.modelDirectory);
  // Looks up every word of the built-in phrases at start instead of during a call.
  decoder.prepare(
    expectedGrammar({ kinds: ['yes_no', 'number', 'digits', 'date', 'time', 'choice'], phrases: [] }, []),
  );
  const speech = isRaised(stop) ? null : primingSpeech(options);
  if (speech !== null) {
    const grammar = expectedGrammar(null, []);
    for (let round = 0; round < 2 && !isRaised(stop); round++) decoder.decode(grammar, widened(speech, 8000));
  }
  post({ type: 'ready' });

  port.on('message', (message: ToRecogniser) => {
    if (message.type === 'stop') {
      decoder.close();
      port.close();
      return;
    }
    if (isRaised(stop)) return;
    try {
      if (message.type === 'prepare') {
        decoder.prepare(message.grammar);
        return;
      }
      const heard = decoder.decode(message.grammar, widened(message.pcm, message.sampleRate));
      post({ type: 'decoded', id: message.id, ...heard });
    } catch (error) {
      if (message.type !== 'decode') return;
      post({
        type: 'failed',
        id: message.id,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  });
}

if (parentPort !== null) serve(parentPort, workerData as RecogniserData);
