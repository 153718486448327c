import { parentPort, workerData } from 'node:worker_threads';
import { setThreadPriority } from '../../../shared/thread-priority.ts';
import type { NaturalThreadData } from '../natural-api.ts';
import { serveVoices } from '../serve-voices.ts';
import { LibraryVoices } from './library-voices.ts';
import type { LibraryFiles } from './voices.ts';

setThreadPriority('speech');

if (parentPort !== null) {
  serveVoices(parentPort, workerData as NaturalThreadData, (files) =>
    Promise.resolve(LibraryVoices.load(files as LibraryFiles)),
  );
}
