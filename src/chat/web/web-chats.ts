import type { WebRefusal } from '../../domain/calls/web-refusal.ts';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { connectWebChat, type ConnectedChat } from '../../domain/web-chats/connect-web-chat.ts';
import { endAsPage, writeAsPage } from '../../domain/web-chats/write-as-page.ts';
import { everyAligned } from '../../shared/aligned.ts';
import { createScheduler, type Clock, type Scheduler } from '../../shared/clock.ts';
import { sha256 } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { Poller } from '../../shared/poller.ts';
import type { Release } from '../../shared/shares/shares.ts';
import { confirmToken, readChatNews, type ChatNews } from '../../store/chats/web-chats.ts';
import type { Db } from '../../store/database.ts';
import { throughOutage } from '../../store/transient.ts';
import { ChatConnection } from './chat-connection.ts';
import { ChatPlaces } from './chat-places.ts';
import { MOST_TEXT_BYTES, WEB_CHAT_PROTOCOL, type PageMessage } from './messages.ts';

export interface WebChatDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** A message waits for its answer, or events were stored. */
  onStored(): void;
  /** A message exceeded the budget of its connection and was dropped. */
  onRefused(): void;
}

const POLL_MS = 500;
/** Without a connection nothing is read; the first one polls at once. */
const IDLE_POLL_MS = 10_000;
const KEEP_ALIVE_MS = 25_000;
/** How long a message waits for a database that is away: 30 s, and until its connections are open again. */
const OUTAGE_MS = 45_000;

/**
 * The connections of pages to their chats in this process. The chats are in the database: any process answers them, and a
 * page that comes back may connect to another one.
 */
export class WebChats {
  readonly #deps: WebChatDeps;
  readonly #scheduler: Scheduler;
  readonly #poller: Poller;
  /** By chat id: a page's new connection replaces its previous one, and takes its place. */
  readonly #connections = new Map<string, ChatConnection>();
  readonly #placeOf = new WeakMap<ChatConnection, Release>();
  readonly #places = new ChatPlaces();
  readonly #upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_TEXT_BYTES,
    // Other requests are served between two messages that arrived together.
    allowSynchronousEvents: false,
    // The request's other subprotocols are tokens.
    handleProtocols: () => WEB_CHAT_PROTOCOL,
  });
  #stopKeepAlive: (() => void) | null = null;
  #isStopped = false;

  constructor(deps: WebChatDeps) {
    this.#deps = deps;
    this.#scheduler = createScheduler(deps.clock);
    this.#poller = new Poller({
      poll: async () => {
        await this.#poll();
        return this.#connections.size > 0 ? POLL_MS : IDLE_POLL_MS;
      },
      pollMs: IDLE_POLL_MS,
      onError: (error) => deps.log.error({ err: error }, 'web chats: new lines could not be read; retrying'),
    });
  }

  start(): void {
    this.#poller.start();
    this.#stopKeepAlive = everyAligned(KEEP_ALIVE_MS, () => {
      for (const connection of this.#connections.values()) connection.keepAlive();
    });
  }

  /** Wakes the query for new lines of this process's chats. */
  kick(): void {
    if (this.#connections.size > 0) this.#poller.kick();
  }

  /** Closes every connection; the pages come back to another process, or to the next one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopKeepAlive?.();
    for (const connection of this.#connections.values()) connection.close(1012, 'restarting');
    this.#connections.clear();
    await this.#poller.stop();
  }

  /** Decides on the connection of a page; `connect` follows when it is accepted. */
  async open(request: {
    readonly token: string;
    readonly origin: string | null;
  }): Promise<ConnectedChat | WebRefusal> {
    if (this.#isStopped) return { refuse: 503, reason: 'this process is about to stop' };
    return connectWebChat(this.#deps, request);
  }

  /** Completes the upgrade. The page gets the lines after number `after`, then every new one. */
  connect(chat: ConnectedChat, after: number, request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.setNoDelay(true);
    this.#upgrades.handleUpgrade(request, socket, head, (opened) => this.#attach(chat, after, opened));
    socket.resume();
  }

  #attach(chat: ConnectedChat, after: number, socket: WebSocket): void {
    const before = this.#connections.get(chat.chatId);
    before?.close(4001, 'replaced');
    if (before !== undefined) this.#placeOf.get(before)?.();
    const place = this.#places.take(chat.workspaceId, () =>
      connection.close(1013, 'others need the connection'),
    );
    const time = { clock: this.#deps.clock, scheduler: this.#scheduler };
    const connection: ChatConnection = new ChatConnection({ ...chat, after }, socket, time, {
      onMessage: (message) => {
        if (place !== null) this.#places.used(place);
        return this.#receive(chat, message);
      },
      onRefused: () => this.#deps.onRefused(),
      onClosed: () => {
        place?.();
        if (this.#connections.get(chat.chatId) === connection) this.#connections.delete(chat.chatId);
      },
    });
    connection.send({ type: 'ready', chat_id: chat.chatId, resume: chat.resume });
    // The page has the token of its next connection, and comes back later.
    if (place === null) return connection.close(1013, 'no connection is left for this chat');
    this.#placeOf.set(connection, place);
    this.#connections.set(chat.chatId, connection);
    // The agent's first message may be due.
    this.#deps.onStored();
    this.#poller.kick();
    return undefined;
  }

  /** Resolves with whether the message was stored: through an outage of the database, since each of them may be stored again. */
  async #receive(chat: ConnectedChat, message: PageMessage): Promise<boolean> {
    try {
      await throughOutage(() => this.#store(chat, message), OUTAGE_MS);
      return true;
    } catch (error) {
      // On reconnection the page resends messages that were not stored.
      this.#deps.log.error(
        { err: error, chatId: chat.chatId },
        'web chats: message could not be stored; connection closed',
      );
      this.#connections.get(chat.chatId)?.close(1011, 'not stored');
      return false;
    }
  }

  async #store(chat: ConnectedChat, message: PageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return confirmToken(this.#deps.db, chat, sha256(chat.resume));
      case 'text':
        await writeAsPage(this.#deps, chat, message);
        break;
      case 'hangup':
        await endAsPage(this.#deps, chat);
        break;
      default:
        message satisfies never;
    }
    this.#deps.onStored();
    this.#poller.kick();
  }

  async #poll(): Promise<void> {
    if (this.#connections.size === 0) return;
    const watched = [...this.#connections.values()];
    const news = await readChatNews(this.#deps.db, watched);
    for (const item of news) this.#connections.get(item.chatId)?.tell(item);
    for (const [chatId, { state, endReason, seq }] of lastOf(news)) {
      // An empty answer means that no lines are left.
      if (seq !== null) this.#poller.kick();
      else if (state === 'closed') this.#connections.get(chatId)?.end(endReason ?? '');
    }
  }
}

const lastOf = (news: readonly ChatNews[]): Map<string, ChatNews> =>
  new Map(news.map((item) => [item.chatId, item]));
