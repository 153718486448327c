import { Worker } from 'node:worker_threads';
import type { CarrierData, FromCarrier } from './carrier.thread.ts';

/**
 * The built-in test carrier: a SIP peer on loopback, in its own thread. It answers every number dialled through the
 * trunk `test`, with a behaviour by the last four digits. No packet leaves the machine.
 */
export class TestCarrier {
  readonly #data: CarrierData;
  #thread: Worker | null = null;

  constructor(options: { logLevel: string; ringMs?: number }) {
    this.#data = { logLevel: options.logLevel, ringMs: options.ringMs ?? 1200 };
  }

  /** Starts the peer and resolves with its SIP port on 127.0.0.1. */
  async start(): Promise<number> {
    const thread = new Worker(new URL('./carrier.thread.ts', import.meta.url), {
      workerData: this.#data,
      name: 'test-carrier',
    });
    this.#thread = thread;
    return new Promise((resolve, reject) => {
      thread.once('message', (message: FromCarrier) => resolve(message.port));
      thread.once('error', reject);
      thread.once('exit', (code) => reject(new Error(`test carrier thread exited with code ${code}`)));
    });
  }

  /** Ends its calls and its thread; terminates the thread after `timeoutMs`. */
  async stop(timeoutMs = 4000): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null) return;
    const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    thread.postMessage('stop');
    const timer = setTimeout(() => void thread.terminate(), timeoutMs);
    await exited;
    clearTimeout(timer);
  }
}
