import { endIdleChat } from '../domain/chats/end-chat.ts';
import { returnLostChats } from '../domain/chats/lost-take-overs.ts';
import { Poller } from '../shared/poller.ts';
import { Shares } from '../shared/shares/shares.ts';
import { chatsToEnd, dropTestRuns } from '../store/chats/chats.ts';
import { leaseDueChats, type LeasedChat } from '../store/chats/turns.ts';
import { LEASE_MS, type ChatTurnDeps, type ChatTurns } from './chat-turns.ts';

const POLL_MS = 500;
/** Concurrent turns; a workspace whose model never answers holds a quarter of those that the others leave. */
const TURNS = { places: 64, parts: 4 };
const ENDED_AT_ONCE = 100;
const SOON_MS = 10;
/** Ended test runs stay readable for a day. */
const KEEP_TESTS_MS = 86_400_000;
const DROP_EVERY_MS = 60_000;
const DROPPED_AT_ONCE = 1_000;
const STOP_MS = 5_000;
/** How soon a person who may no longer write loses a chat, with the time of one poll. */
const TAKEN_EVERY_MS = 1_000;

type ChatWorkerDeps = Pick<ChatTurnDeps, 'db' | 'clock' | 'log' | 'onStored'> & {
  readonly turns: ChatTurns;
  /** The agent begins to answer; must return at once. */
  readonly onTurn: (chat: LeasedChat) => void;
  /** Absent: 500 ms. */
  readonly pollMs?: number;
};

/** Answers chats with unanswered messages and ends expired ones. Several processes share the work. */
export class ChatWorker {
  readonly #deps: ChatWorkerDeps;
  readonly #poller: Poller;
  readonly #shares = new Shares(TURNS);
  readonly #pollMs: number;
  #dropAt = 0;
  #takenAt = 0;

  constructor(deps: ChatWorkerDeps) {
    this.#deps = deps;
    this.#pollMs = deps.pollMs ?? POLL_MS;
    this.#poller = new Poller({
      poll: () => this.poll(),
      pollMs: this.#pollMs,
      onError: (error) =>
        deps.log.error({ err: error }, 'chat worker: due chats could not be read; retrying'),
    });
  }

  start(): void {
    this.#poller.start();
  }

  kick(): void {
    this.#poller.kick();
  }

  async stop(): Promise<void> {
    await this.#poller.stop(STOP_MS);
  }

  /** Returns the wait until the next poll. */
  async poll(): Promise<number> {
    const { db, clock, turns } = this.#deps;
    const isMoreToEnd = await this.#endIdle();
    await this.#dropTests();
    await this.#returnLost();
    const { free, parts } = this.#shares;
    const waitMs = isMoreToEnd ? SOON_MS : this.#pollMs;
    if (free <= 0) return waitMs;
    const now = clock.now();
    const leased = await leaseDueChats(db, {
      now: new Date(now),
      leaseUntil: new Date(now + LEASE_MS),
      places: { free, parts, shares: this.#shares.list() },
    });
    for (const chat of leased) {
      this.#deps.onTurn(chat);
      const release = this.#shares.enter(chat.workspaceId);
      // Its end polls again: more may be due than one workspace's share.
      this.#poller.track(turns.answer(chat).then(release));
    }
    return waitMs;
  }

  async #returnLost(): Promise<void> {
    const now = this.#deps.clock.monotonic();
    if (now < this.#takenAt) return;
    this.#takenAt = now + TAKEN_EVERY_MS;
    await returnLostChats(this.#deps);
  }

  async #dropTests(): Promise<void> {
    const now = this.#deps.clock.now();
    if (now < this.#dropAt) return;
    this.#dropAt = now + DROP_EVERY_MS;
    await dropTestRuns(this.#deps.db, new Date(now - KEEP_TESTS_MS), DROPPED_AT_ONCE);
  }

  /** True: more chats may be over. */
  async #endIdle(): Promise<boolean> {
    const { db, clock, onStored, log } = this.#deps;
    const due = await chatsToEnd(db, new Date(clock.now()), ENDED_AT_ONCE);
    let ended = 0;
    for (const { workspaceId, id } of due) {
      const isEnded = await endIdleChat({ db, clock }, workspaceId, id).catch((error: unknown) => {
        log.error({ err: error, chatId: id }, 'chat worker: expired chat could not be ended; retrying');
        return false;
      });
      if (isEnded) ended += 1;
    }
    if (ended > 0) onStored();
    return ended === ENDED_AT_ONCE;
  }
}
