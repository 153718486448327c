import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';

/** A program for tests: the probed service, whose call workers die when its parent says `die`. */
const callWorkers = new Set<threads.Worker>();
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(file, options);
    if (options?.name?.startsWith('call-worker') !== true) return;
    callWorkers.add(this);
    this.once('exit', () => callWorkers.delete(this));
  }
};
syncBuiltinESMExports();
process.on('message', (message) => {
  if (message !== 'die') return;
  for (const worker of callWorkers) void worker.terminate();
});
await import('./probed-service.ts');
