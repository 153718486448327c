import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import type { Harm } from './harm-preload.ts';

/** What happens to the call workers, to one of them, or to the thread of the API and the jobs. */
export interface Mishap {
  readonly threads: 'call-worker' | 'call-worker-0' | 'control';
  /** `die`: they are terminated. `leak`: they allocate until their heap is full. A number: they block for so many milliseconds. */
  readonly does: 'die' | 'leak' | number;
}

/** Test program: the probed service, whose threads meet with the mishaps that its parent process sends. */
const preload = ['--import', new URL('./harm-preload.ts', import.meta.url).href];
const running = new Map<threads.Worker, string>();
const { Worker } = threads;
const kindOf = (name: string | undefined): string | undefined =>
  ['call-worker', 'control'].find((kind) => name?.startsWith(kind));
threads.Worker = class extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    const kind = kindOf(options?.name);
    const env = { ...process.env, HARM_CHANNELS: [...new Set([kind, options?.name])].join(' ') };
    super(
      file,
      kind === undefined ? options : { ...options, env, execArgv: [...process.execArgv, ...preload] },
    );
    if (kind === undefined) return;
    running.set(this, kind);
    this.once('exit', () => running.delete(this));
  }
};
syncBuiltinESMExports();
process.on('message', (message) => {
  const mishap = message as Mishap | string;
  if (typeof mishap === 'string') return;
  if (mishap.does === 'die') {
    for (const [worker, kind] of running) if (kind === mishap.threads) void worker.terminate();
    return;
  }
  const channel = new threads.BroadcastChannel(mishap.threads);
  const harm: Harm = mishap.does === 'leak' ? 'leak' : { hangMs: mishap.does };
  channel.postMessage(harm);
  setTimeout(() => channel.close(), 1000);
});
await import('./probed-service.ts');
