import { Chats, type ChatsOptions } from '../../../src/app/chats.ts';
import { QueueWatch } from '../../../src/jobs/queue-watch.ts';

/** Chats with the watch of their queues, which starts and stops with them. */
export class WatchedChats extends Chats {
  readonly #queues: QueueWatch;

  constructor(options: Omit<ChatsOptions, 'queues'>) {
    const queues = new QueueWatch(options);
    super({ ...options, queues });
    this.#queues = queues;
  }

  override start(): void {
    super.start();
    this.#queues.start();
  }

  override async stop(): Promise<void> {
    await this.#queues.stop();
    await super.stop();
  }
}
