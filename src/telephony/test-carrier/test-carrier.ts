import type { Log } from '../../shared/log.ts';
import { HostThread } from '../../shared/native-threads.ts';
import { Thread } from '../../shared/threads/thread.ts';
import type { CarrierApi, CarrierData } from './carrier.thread.ts';

/** A carrier that takes longer to end its calls is terminated. */
const STOP_MS = 4_000;

/**
 * The built-in test carrier: a SIP peer on loopback, in its own thread. It answers every number dialled through the
 * trunk `test`, with a behaviour by the last four digits. No packet leaves the machine.
 */
export class TestCarrier {
  readonly #data: CarrierData;
  readonly #log: Log;
  #thread: Thread<CarrierApi> | null = null;

  constructor(options: { log: Log; logLevel: string; ringMs?: number }) {
    this.#log = options.log;
    this.#data = { logLevel: options.logLevel, ringMs: options.ringMs ?? 1200 };
  }

  /** Starts the peer and resolves with its SIP port on 127.0.0.1. */
  async start(): Promise<number> {
    const worker = new HostThread(
      new URL('./carrier.thread.ts', import.meta.url),
      { workerData: this.#data, name: 'test-carrier' },
      this.#log,
    );
    this.#thread = new Thread<CarrierApi>(worker, {
      name: 'test carrier',
      ending: { by: 'request', withinMs: STOP_MS },
      served: { api: {} },
    });
    return this.#thread.remote.call.port();
  }

  /** Ends its calls and its thread. */
  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }
}
