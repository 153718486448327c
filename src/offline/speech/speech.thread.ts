import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { setThreadPriority } from '../../shared/thread-priority.ts';
import type { FromSpeechThread, SpeechThreadOrder, ToSpeechThread } from './speech-protocol.ts';
import { type SpeechEvent, type SpeechThreadOptions, Synthesiser } from './synthesiser.ts';

setThreadPriority('speech');

/** Starts engine processes outside the threads of calls, because a fork blocks for milliseconds. */
function serve(client: MessagePort, synthesiser: Synthesiser): void {
  const cancels = new Map<number, () => void>();
  const post = (id: number, event: SpeechEvent): void => {
    if (event.type === 'audio') {
      // Other calls get the same audio.
      const pcm = event.pcm.slice();
      client.postMessage({ type: 'audio', id, pcm } satisfies FromSpeechThread, [pcm.buffer]);
    } else client.postMessage({ ...event, id } satisfies FromSpeechThread);
  };
  client.on('message', (message: ToSpeechThread) => {
    const { id } = message;
    if (message.type === 'cancel') {
      cancels.get(id)?.();
      cancels.delete(id);
      return;
    }
    let isOver = false;
    const cancel = synthesiser.speak(message, (event) => {
      post(id, event);
      if (event.type === 'audio' || event.type === 'reached') return;
      isOver = true;
      cancels.delete(id);
    });
    if (!isOver) cancels.set(id, cancel);
  });
  client.on('close', () => {
    for (const cancel of cancels.values()) cancel();
    cancels.clear();
  });
}

const main = parentPort;
if (main !== null) {
  const synthesiser = new Synthesiser(workerData as SpeechThreadOptions);
  const clients = new Set<MessagePort>();
  main.on('message', (order: SpeechThreadOrder) => {
    if (order.type === 'stop') {
      synthesiser.close();
      for (const client of clients) client.close();
      main.close();
      return;
    }
    const { port } = order;
    clients.add(port);
    port.on('close', () => clients.delete(port));
    serve(port, synthesiser);
  });
}
