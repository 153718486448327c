import type { MediaStats } from '@callwright/rtp';
import type { WebSocket } from 'ws';
import type { Clock, Scheduler } from '../../shared/clock.ts';
import type { MessageSocket } from '../../shared/ingress/message-socket.ts';
import { receiveMetered, type Meter } from '../../shared/ingress/metered-socket.ts';

export interface CallSocketOptions {
  readonly clock: Clock;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** What the call may still receive, over all its connections. */
  readonly meter: Meter;
  /** Unsent bytes beyond which a message is dropped instead of queued. */
  readonly mostUnsentBytes: number;
  /** A message within the budget. */
  readonly onMessage: (data: Buffer, isBinary: boolean) => void;
  /** A message was dropped for the budget; `isLast`: the connection is closed for it. */
  readonly onDropped: (isLast: boolean) => void;
  /** The connection is over, unless another one has replaced it. `code`: of its closing handshake. */
  readonly onClose: (code: number) => void;
}

const MOST_INVALID = 50;

/** The connection of a call, which a later one may replace, with what was sent, refused and lost on it. */
export class CallSocket<S extends MessageSocket = WebSocket> {
  readonly #options: CallSocketOptions;
  #socket: S | null = null;
  #unsent = 0;
  #invalid = 0;

  constructor(options: CallSocketOptions) {
    this.#options = options;
  }

  /** Null: none is connected. */
  get current(): S | null {
    return this.#socket;
  }

  /** Receives from this connection from now on. Returns the one before, which the caller closes. */
  take(socket: S): S | null {
    const before = this.#socket;
    this.#socket = socket;
    const { clock, scheduler, meter, onMessage, onDropped, onClose } = this.#options;
    receiveMetered(socket, {
      meter,
      scheduler,
      now: () => clock.monotonic(),
      onMessage: (data, isBinary) => {
        if (socket === this.#socket) onMessage(data, isBinary);
      },
      onDropped,
    });
    // `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      onClose(code);
    });
    return before;
  }

  /** False: the connection takes nothing now, and the message is dropped. */
  send(message: string | Buffer): boolean {
    const socket = this.#socket;
    const takes =
      socket !== null &&
      socket.readyState === socket.OPEN &&
      socket.bufferedAmount <= this.#options.mostUnsentBytes;
    if (takes) socket.send(message);
    return takes;
  }

  /** Audio of the call was dropped, because `send` refused it. */
  lostAudio(): void {
    this.#unsent += 1;
  }

  /** A message that is none of the protocol: after too many of them the connection is closed. */
  invalid(): void {
    this.#invalid += 1;
    if (this.#invalid >= MOST_INVALID) this.#socket?.close(1008, 'not a message of the protocol');
  }

  /** Ends the connection. */
  close(): void {
    this.#socket?.close(1000, 'ended');
    this.#socket = null;
  }

  /** The figures of a leg over this socket. */
  stats(
    figures: Pick<MediaStats, 'codec' | 'packetsSent' | 'packetsReceived' | 'packetsLost' | 'packetsLate'>,
  ): MediaStats {
    return {
      ...figures,
      duplicates: 0,
      concealedMs: 0,
      jitterMs: 0,
      roundTripMs: null,
      remoteLossFraction: null,
      remoteJitterMs: null,
      strayPackets: this.#unsent + this.#options.meter.dropped + this.#invalid,
    };
  }
}

/** Ends a connection that came after the end of its call. */
export function refuseSocket(socket: MessageSocket): void {
  socket.on('error', () => undefined);
  socket.close(1000, 'ended');
}
