/** Opens decoders without a model in several threads at once: each attempt passes through every global of the libraries. */
import { once } from 'node:events';
import { isMainThread, Worker } from 'node:worker_threads';
import { loadSphinx } from '../../../src/offline/recogniser/sphinx-library.ts';

const THREADS = 4;
const OPENINGS = 40;

if (isMainThread) {
  const threads = Array.from({ length: THREADS }, () => new Worker(new URL(import.meta.url)));
  await Promise.all(threads.map((thread) => once(thread, 'exit')));
} else {
  const library = loadSphinx();
  for (let n = 0; n < OPENINGS; n++) {
    if (library.init(['-hmm', '/nonexistent']) !== null) throw new Error('opened a decoder without a model');
  }
}
