import type { Log } from '../../shared/log.ts';
import { HostThread } from '../../shared/native-threads.ts';
import type { CarrierData, FromCarrier } from './carrier.thread.ts';

/**
 * The built-in test carrier: a SIP peer on loopback, in its own thread. It answers every number dialled through the
 * trunk `test`, with a behaviour by the last four digits. No packet leaves the machine.
 */
export class TestCarrier {
  readonly #data: CarrierData;
  readonly #log: Log;
  #thread: HostThread | null = null;

  constructor(options: { log: Log; logLevel: string; ringMs?: number }) {
    this.#log = options.log;
    this.#data = { logLevel: options.logLevel, ringMs: options.ringMs ?? 1200 };
  }

  /** Starts the peer and resolves with its SIP port on 127.0.0.1. */
  async start(): Promise<number> {
    const thread = new HostThread(
      new URL('./carrier.thread.ts', import.meta.url),
      { workerData: this.#data, name: 'test-carrier' },
      this.#log,
    );
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
