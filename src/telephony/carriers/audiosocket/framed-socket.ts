import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Scheduler } from '../../../shared/clock.ts';
import type { MessageSocket } from '../../../shared/ingress/message-socket.ts';
import type { WebSocketHandover } from '../../web/handover.ts';
import { FrameCutter } from './frames.ts';

/** A connection that was told to end gets this long. */
const CLOSE_MS = 1_000;
/** Codes of a WebSocket's closing handshake, which the events of a connection have here, too. */
const NORMAL = 1000;
const CUT = 1006;
const TOO_LONG = 1009;
/** The other program closed the connection before it had read everything. Asterisk does so when the caller hangs up. */
const CLOSED_UNREAD: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** A TCP connection whose messages are frames of AudioSocket, each with its header. */
export class FramedSocket extends EventEmitter implements MessageSocket {
  readonly OPEN = 1;
  readonly #socket: Socket;
  readonly #scheduler: Pick<Scheduler, 'after'>;
  readonly #frames = new FrameCutter();
  #isPaused = false;
  #isClosing = false;
  #code: number | null = null;

  constructor(socket: Socket, scheduler: Pick<Scheduler, 'after'>) {
    super();
    this.#socket = socket;
    this.#scheduler = scheduler;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#code ??= CLOSED_UNREAD.has(error.code) ? NORMAL : CUT;
    });
    socket.on('end', () => {
      this.#code ??= NORMAL;
    });
    socket.on('close', () => this.emit('close', this.#code ?? CUT));
  }

  /** Reads from now on; `head` came before. */
  begin(head: Buffer): void {
    this.#take(head);
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  get readyState(): number {
    return this.#isClosing || this.#socket.destroyed ? 3 : this.OPEN;
  }

  get bufferedAmount(): number {
    return this.#socket.writableLength;
  }

  send(frame: string | Buffer): void {
    this.#socket.write(frame);
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#emitFrames();
    if (!this.#isPaused) this.#socket.resume();
  }

  /** Ends the connection once everything has left. The protocol has no reason. */
  close(code: number): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#code ??= code;
    this.#socket.end();
    // Without a reader the end of the other side would not be seen.
    this.#socket.resume();
    this.#scheduler.after(CLOSE_MS, () => this.#socket.destroy());
  }

  terminate(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#isClosing) return;
    this.#frames.push(bytes);
    this.#emitFrames();
  }

  #emitFrames(): void {
    while (!this.#isPaused && !this.#isClosing) {
      const frame = this.#frames.next();
      if (frame === null) return;
      if (frame === 'too long') this.close(TOO_LONG);
      else this.emit('message', frame, true);
    }
  }
}

/** Takes over a connection whose first frame was read, which is in its head, and passes it to `onOpen` before it reads on. */
export function adoptFramed(
  { fd, head }: Pick<WebSocketHandover, 'fd' | 'head'>,
  scheduler: Pick<Scheduler, 'after'>,
  onOpen: (socket: MessageSocket) => void,
): void {
  const socket = new Socket({ fd, readable: true, writable: true });
  socket.setNoDelay(true);
  const framed = new FramedSocket(socket, scheduler);
  onOpen(framed);
  framed.begin(Buffer.from(head));
}
