import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { setThreadPriority } from '../../shared/thread-priority.ts';
import { moved } from '../../shared/threads/moved.ts';
import { link } from '../../shared/threads/remote.ts';
import type { SpeechApi, SpeechEvents, SpeechThreadApi, SpeechThreadEvents } from './speech-api.ts';
import { type SpeechRequest, type SpeechThreadOptions, Synthesiser } from './synthesiser.ts';

setThreadPriority('speech');

/** Starts engine processes outside the threads of calls, because a fork blocks for milliseconds. */
function serve(client: MessagePort, synthesiser: Synthesiser): void {
  const cancels = new Map<number, () => void>();
  const ends = link<SpeechEvents, never, SpeechApi>(client);
  const { send } = ends.remote;
  const cancel = (id: number): void => {
    cancels.get(id)?.();
    cancels.delete(id);
  };
  const speak = (id: number, request: SpeechRequest): void => {
    let isOver = false;
    const stop = synthesiser.speak(request, (event) => {
      // Other calls get the same audio.
      if (event.type === 'audio') return send.audio(id, moved(event.pcm.slice()));
      send.progress(id, event);
      if (event.type === 'reached') return undefined;
      isOver = true;
      cancels.delete(id);
      return undefined;
    });
    if (!isOver) cancels.set(id, stop);
  };
  ends.serve({ api: { speak, cancel } });
  client.on('close', () => {
    for (const stop of cancels.values()) stop();
    cancels.clear();
  });
}

const main = parentPort;
if (main !== null) {
  const ends = link<SpeechThreadEvents, never, SpeechThreadApi>(main);
  const options = workerData as SpeechThreadOptions;
  const synthesiser = new Synthesiser(options, null, undefined, ends.remote.send.voiceLost);
  const clients = new Set<MessagePort>();
  ends.serve({
    api: {
      connect: (port) => {
        clients.add(port);
        port.on('close', () => clients.delete(port));
        serve(port, synthesiser);
      },
      stop: () => {
        const closed = synthesiser.close();
        for (const client of clients) client.close();
        void closed.finally(() => main.close());
      },
    },
  });
}
