import type { WebSocket } from 'ws';
import type { Clock } from '../../shared/clock.ts';
import type { ChatNews } from '../../store/chats/web-chats.ts';
import { pageIdOf } from '../../domain/web-chats/write-as-page.ts';
import { parsePageMessage, type ChatMessage, type PageMessage } from './messages.ts';

/** Lines that a page may send at once, and how soon another one is allowed. */
const BURST = 10;
const LINE_MS = 2_000;
/** A page that reads nothing is disconnected. */
const MOST_UNSENT_BYTES = 262_144;
const MOST_INVALID = 20;

interface ConnectionEvents {
  onMessage(message: PageMessage): void;
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
  /** The last state that was sent. */
  #state = '';

  constructor(
    chat: { readonly workspaceId: string; readonly chatId: string; readonly after: number },
    socket: WebSocket,
    clock: Clock,
    events: ConnectionEvents,
  ) {
    this.workspaceId = chat.workspaceId;
    this.chatId = chat.chatId;
    this.after = chat.after;
    this.#socket = socket;
    this.#clock = clock;
    this.#allowedAt = clock.monotonic();
    socket.on('message', (data: Buffer, isBinary) => {
      this.#isAlive = true;
      const message = isBinary ? null : parsePageMessage(data);
      if (message === null) this.#onInvalid();
      else if (message.type !== 'text') events.onMessage(message);
      else this.#take(message, events);
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

  #take(message: Extract<PageMessage, { type: 'text' }>, events: ConnectionEvents): void {
    const now = this.#clock.monotonic();
    const earned = Math.floor((now - this.#allowedAt) / LINE_MS);
    this.#allowed = Math.min(BURST, this.#allowed + earned);
    this.#allowedAt += earned * LINE_MS;
    if (this.#allowed <= 0) {
      this.send({ type: 'refused', id: message.id, wait_seconds: Math.ceil(LINE_MS / 1000) });
      return;
    }
    this.#allowed -= 1;
    events.onMessage(message);
  }

  #onInvalid(): void {
    this.#invalid += 1;
    if (this.#invalid >= MOST_INVALID) this.close(1008, 'not a message of the protocol');
  }
}
