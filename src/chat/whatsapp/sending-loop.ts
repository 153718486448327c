import { Poller } from '../../shared/poller.ts';

const POLL_MS = 500;
const STOP_MS = 5_000;

/** The loop of a sender: polls for messages that are due, and waits a few seconds for requests under way when it stops. */
export class SendingLoop {
  readonly #poller: Poller;

  constructor(poll: () => Promise<void>, onError: (error: unknown) => void, pollMs = POLL_MS) {
    this.#poller = new Poller({ poll, pollMs, onError });
  }

  /** Requests under way. */
  get running(): number {
    return this.#poller.running;
  }

  /** Counts a request as under way until it settles; it must not reject. */
  track(sent: Promise<void>): void {
    this.#poller.track(sent);
  }

  start(): void {
    this.#poller.start();
  }

  kick(): void {
    this.#poller.kick();
  }

  stop(): Promise<void> {
    return this.#poller.stop(STOP_MS);
  }
}
