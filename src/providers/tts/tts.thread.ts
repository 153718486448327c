import { parentPort, workerData } from 'node:worker_threads';
import type { FromSpeechThread, SpeechThreadOptions, ToSpeechThread } from './protocol.ts';
import { Synthesiser } from './synthesiser.ts';

/** Starts engine processes away from the call worker: a fork takes milliseconds that audio cannot wait. */
const port = parentPort;
if (port !== null) {
  const synthesiser = new Synthesiser(workerData as SpeechThreadOptions, (event: FromSpeechThread) => {
    port.postMessage(event, event.type === 'audio' ? [event.pcm.buffer] : []);
  });
  port.on('message', (message: ToSpeechThread | { type: 'stop' }) => {
    if (message.type === 'stop') {
      synthesiser.close();
      port.close();
    } else synthesiser.handle(message);
  });
}
