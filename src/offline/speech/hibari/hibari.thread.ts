import { parentPort, workerData } from 'node:worker_threads';
import { setThreadPriority } from '../../../shared/thread-priority.ts';
import type { NaturalThreadData } from '../natural-api.ts';
import { serveVoices } from '../serve-voices.ts';
import type { HibariFiles } from './files.ts';
import { HibariVoice } from './voice.ts';
import { VOICE_RATE } from './waveform.ts';

setThreadPriority('speech');

if (parentPort !== null) {
  serveVoices(parentPort, workerData as NaturalThreadData, async (files) => {
    const voice = await HibariVoice.load(files as HibariFiles);
    return {
      open: (net) => voice.open(net),
      release: () => voice.release(),
      async *speak(sentence, isStopped) {
        for await (const samples of voice.speak(sentence, isStopped)) {
          yield { samples, sampleRate: VOICE_RATE };
        }
      },
    };
  });
}
