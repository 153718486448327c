import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Config } from '../config.ts';
import type { WebRefusal } from '../domain/calls/web-refusal.ts';
import type { StreamTickets, StreamTicketDeps } from '../domain/trunks/stream-tickets.ts';
import type { Scheduler } from '../shared/clock.ts';
import type { Entrance } from '../shared/ingress/entrance.ts';
import type { Log } from '../shared/log.ts';
import { openingUuid } from '../telephony/carriers/audiosocket/frames.ts';
import { releaseAudioSocket } from '../telephony/web/handover.ts';
import type { WebCallLink } from './call-link.ts';
import { openAnnounced } from './carrier-entrance.ts';
import { UNKNOWN_TOKEN } from './web-sockets.ts';

/** Asterisk sends the UUID right after it has connected; a connection without one is closed after this time. */
const OPENING_MS = 5_000;
/** Connections without a decision; further ones are closed at once. */
const MOST_WAITING = 200;

export interface AudioSocketDeps extends StreamTicketDeps {
  readonly log: Log;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** The budget of all connections of carriers, with that of the WebSockets. */
  readonly budget: Pick<Entrance, 'admit'>;
  readonly calls: Pick<WebCallLink, 'open' | 'connect'>;
  readonly tickets: StreamTickets;
}

/** Where Asterisk reaches the AudioSocket port of this process, such as `calls.example.com:9092`; null: it has none. */
export function audioSocketAddress(
  { audioSocket, mediaUrl, roles }: Pick<Config, 'audioSocket' | 'mediaUrl' | 'roles'>,
  publicUrl: string,
): string | null {
  const takesStreams = roles.includes('api') && (roles.includes('media') || roles.includes('dialer'));
  if (audioSocket === null || !takesStreams) return null;
  return `${new URL(mediaUrl ?? publicUrl).hostname}:${audioSocket.port}`;
}

/**
 * AudioSocket of Asterisk: connections over TCP, each of which begins with the UUID of a call that Asterisk announced to any
 * process, or that this process places. A connection with another first frame, or with none in time, is closed.
 */
export class AudioSocketEntrance {
  readonly #deps: AudioSocketDeps;
  readonly #server = createServer((socket) => this.#receive(socket));
  /** Connections without a decision. */
  readonly #waiting = new Set<Socket>();

  constructor(deps: AudioSocketDeps) {
    this.#deps = deps;
  }

  /** Rejects when the address cannot be bound. */
  async listen(at: { readonly port: number; readonly host: string }): Promise<number> {
    this.#server.listen(at.port, at.host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : at.port;
  }

  /** Takes no more connections, and closes those without a decision. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#waiting) socket.destroy();
    await closed;
  }

  #receive(socket: Socket): void {
    const { budget, scheduler } = this.#deps;
    socket.on('error', () => undefined);
    // Before a byte is read.
    const wait = budget.admit({ address: socket.remoteAddress ?? '' });
    if (wait > 0 || this.#waiting.size >= MOST_WAITING) {
      socket.destroy();
      return;
    }
    this.#waiting.add(socket);
    const stopTimer = scheduler.after(OPENING_MS, () => socket.destroy());
    socket.once('close', () => {
      stopTimer();
      this.#waiting.delete(socket);
    });
    let head: Buffer = Buffer.alloc(0);
    const read = (): void => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return;
      head = Buffer.concat([head, bytes]);
      const opening = openingUuid(head);
      if (opening === 'waits') return;
      socket.off('readable', read);
      stopTimer();
      if (opening === null) socket.destroy();
      else void this.#connect(socket, opening.uuid, head);
    };
    socket.on('readable', read);
  }

  async #connect(socket: Socket, uuid: string, head: Buffer): Promise<void> {
    const { calls, log } = this.#deps;
    try {
      const opened = await this.#open(uuid);
      if ('refuse' in opened) {
        const { refuse: status, reason } = opened;
        log.info({ status, reason }, 'a connection of AudioSocket is refused');
        socket.destroy();
      } else if (!socket.destroyed) calls.connect(opened.callId, releaseAudioSocket(socket, head));
    } catch (error) {
      log.warn({ err: error }, 'a connection of AudioSocket could not be taken');
      socket.destroy();
    }
  }

  /** A call that another process places is unknown here: its UUID was announced with the address of that process. */
  async #open(uuid: string): Promise<WebRefusal | { readonly callId: string }> {
    const { calls, tickets, clock } = this.#deps;
    const upgrade = { urls: [], headers: {}, at: clock.now() };
    const placed = await calls.open({ placed: uuid, upgrade });
    if (!('refuse' in placed) || placed.refuse !== UNKNOWN_TOKEN.refuse) return placed;
    const trunkId = await tickets.trunkOf(uuid);
    if (trunkId === null) return UNKNOWN_TOKEN;
    return openAnnounced(this.#deps, { token: uuid, trunkId, upgrade });
  }
}
