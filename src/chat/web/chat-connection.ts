import type { WebSocket } from 'ws';
import type { Clock, Scheduler } from '../../shared/clock.ts';
import { Budget } from '../../shared/ingress/budget.ts';
import { Meter, receiveMetered } from '../../shared/ingress/metered-socket.ts';
import type { ChatNews } from '../../store/chats/web-chats.ts';
import { pageIdOf } from '../../domain/web-chats/write-as-page.ts';
import { parsePageMessage, type ChatMessage, type PageMessage } from './messages.ts';

/** Messages of every kind. */
const MESSAGES = { messages: { burst: 60, perSecond: 2 }, bytes: { burst: 65_536, perSecond: 8_192 } };
const PATIENCE = { drops: { burst: 50, perSecond: 1 }, reason: 'too many messages' };
/** Lines that a page may send at once, and how soon another one is allowed. */
const BURST = 10;
const LINE_MS = 2_000;
/** A page that reads nothing is disconnected. */
const MOST_UNSENT_BYTES = 262_144;
const MOST_INVALID = 20;
/** Lines that wait for the database; a further one is refused. */
const MOST_WAITING = 30;

interface ConnectionEvents {
  /**
   * One message of a connection at a time: the next one follows when this one is stored. False: it was not, and those that
   * wait are dropped with it, because the page sends all of them again.
   */
  onMessage(message: PageMessage): Promise<boolean>;
  /** More was sent than the budget. */
  onRefused(): void;
  onClosed(): void;
}

/** One page's connection to its chat. */
export class ChatConnection {
  readonly workspaceId: string;
  readonly chatId: string;
  /** Lines up to this number were sent. */
  after: number;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  #isAlive = true;
  #allowed = BURST;
  #allowedAt: number;
  #invalid = 0;
  #isReady = false;
  #hasHungUp = false;
  /** Messages that wait for the one that is being stored, which is the first. */
  readonly #waiting: PageMessage[] = [];
  /** The last state that was sent. */
  #state = '';

  constructor(
    chat: { readonly workspaceId: string; readonly chatId: string; readonly after: number },
    socket: WebSocket,
    { clock, scheduler }: { readonly clock: Clock; readonly scheduler: Pick<Scheduler, 'after'> },
    events: ConnectionEvents,
  ) {
    this.workspaceId = chat.workspaceId;
    this.chatId = chat.chatId;
    this.after = chat.after;
    this.#socket = socket;
    this.#clock = clock;
    this.#allowedAt = clock.monotonic();
    const budget = new Budget(MESSAGES);
    receiveMetered(socket, {
      meter: new Meter(() => budget, PATIENCE),
      scheduler,
      now: () => clock.monotonic(),
      onMessage: (data, isBinary) => this.#receive(data, isBinary, events),
      onDropped: () => {
        this.#isAlive = true;
        events.onRefused();
      },
    });
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => events.onClosed());
  }

  send(message: ChatMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MOST_UNSENT_BYTES) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(message));
  }

  /** Sends new lines and state to the page. */
  tell(news: ChatNews): void {
    const { state, isAnswering, seq, role, text, content } = news;
    if (seq !== null && seq > this.after) {
      this.after = seq;
      const choices = content?.['choices'];
      this.send({
        type: 'line',
        seq,
        role: role === 'customer' ? 'caller' : role,
        text,
        id: pageIdOf(this.chatId, news.externalId),
        choices: Array.isArray(choices) ? choices.map(String) : [],
      });
    }
    if (state === 'closed') return;
    const now = `${state} ${isAnswering}`;
    if (now === this.#state) return;
    this.#state = now;
    this.send({ type: 'state', with_person: state === 'with_person', is_answering: isAnswering });
  }

  end(reason: string): void {
    this.send({ type: 'ended', reason });
    this.close(1000, 'ended');
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** Cuts a connection that has been silent since the last time. */
  keepAlive(): void {
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
    return undefined;
  }

  #receive(data: Buffer, isBinary: boolean, events: ConnectionEvents): void {
    this.#isAlive = true;
    const message = isBinary ? null : parsePageMessage(data);
    if (message === null || this.#hasHungUp) return this.#onInvalid();
    if (message.type === 'text') return this.#take(message, events);
    if (message.type === 'ready' && this.#isReady) return this.#onInvalid();
    if (message.type === 'ready') this.#isReady = true;
    else this.#hasHungUp = true;
    return this.#store(message, events);
  }

  #store(message: PageMessage, events: ConnectionEvents): void {
    this.#waiting.push(message);
    if (this.#waiting.length === 1) void this.#storeNext(events);
  }

  async #storeNext(events: ConnectionEvents): Promise<void> {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const isStored = await events.onMessage(next);
      this.#waiting.splice(0, isStored ? 1 : this.#waiting.length);
    }
  }

  #take(message: Extract<PageMessage, { type: 'text' }>, events: ConnectionEvents): void {
    const now = this.#clock.monotonic();
    const earned = Math.floor((now - this.#allowedAt) / LINE_MS);
    this.#allowed = Math.min(BURST, this.#allowed + earned);
    this.#allowedAt += earned * LINE_MS;
    if (this.#allowed <= 0 || this.#waiting.length >= MOST_WAITING) {
      this.send({ type: 'refused', id: message.id, wait_seconds: Math.ceil(LINE_MS / 1000) });
      return;
    }
    this.#allowed -= 1;
    this.#store(message, events);
  }

  #onInvalid(): void {
    this.#invalid += 1;
    if (this.#invalid >= MOST_INVALID) this.close(1008, 'not a message of the protocol');
  }
}
