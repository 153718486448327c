import { EventEmitter } from 'node:events';
import type { Transferable } from 'node:worker_threads';
import type { Port } from '../../../src/shared/threads/messages.ts';
import type { WorkerThread } from '../../../src/shared/threads/thread.ts';

/**
 * A worker on the test's own thread. `inside` is the port of the code in it; messages are copied and arrive in a later
 * microtask, as between threads.
 */
export class InnerThread extends EventEmitter {
  readonly inside: Port;
  readonly #inner = new EventEmitter();
  /** Its code reads no message any more. */
  hangs = false;
  isTerminated = false;

  constructor() {
    super();
    this.inside = {
      on: (event, listener) => this.#inner.on(event, listener),
      postMessage: (message, transfer = []) => deliver(this, message, transfer, () => true),
    };
  }

  postMessage(message: unknown, transfer: readonly Transferable[] = []): void {
    deliver(this.#inner, message, transfer, () => !this.hangs);
  }

  terminate(): Promise<number> {
    this.isTerminated = true;
    queueMicrotask(() => this.emit('exit', 1));
    return Promise.resolve(1);
  }

  get worker(): WorkerThread {
    return this as unknown as WorkerThread;
  }
}

function deliver(
  to: EventEmitter,
  message: unknown,
  transfer: readonly unknown[],
  isOpen: () => boolean,
): void {
  const copy: unknown = structuredClone(message, { transfer: transfer as ArrayBuffer[] });
  queueMicrotask(() => {
    if (isOpen()) to.emit('message', copy);
  });
}
