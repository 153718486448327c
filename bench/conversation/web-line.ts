import { WebSocket } from 'ws';
import type { MediaSink, Wheel, WheelMember } from '@callwright/rtp';
import { WEB_CALL_PROTOCOL, WEB_FRAME_BYTES } from '../../src/telephony/web/messages.ts';

/** A frame of the bench's callers, who speak at 8 kHz. */
const FRAME = 160;

/** The page's side of a browser call, without a browser: a caller at 8 kHz on a WebSocket at 16 kHz. */
export class WebLine implements WheelMember {
  readonly #socket: WebSocket;
  readonly #sink: MediaSink;
  readonly #wheel: Wheel;
  readonly #out = new Int16Array(FRAME);
  readonly #in = new Int16Array(FRAME);
  /** A frame at 16 kHz, and its bytes. */
  readonly #wide = new Int16Array(2 * FRAME);
  readonly #wideBytes = new Uint8Array(this.#wide.buffer);
  #received = 0;

  private constructor(socket: WebSocket, sink: MediaSink, wheel: Wheel) {
    this.#socket = socket;
    this.#sink = sink;
    this.#wheel = wheel;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#hear(data);
    });
    wheel.add(this);
  }

  static async open(
    url: string,
    token: string,
    origin: string,
    sink: MediaSink,
    wheel: Wheel,
  ): Promise<WebLine> {
    const socket = new WebSocket(url, [WEB_CALL_PROTOCOL, `token.${token}`], { origin });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return new WebLine(socket, sink, wheel);
  }

  onTick(at: number): void {
    if (!this.#sink.fill(this.#out, at)) this.#out.fill(0);
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    // Plain loops: the phones of the bench share the processor with the service.
    for (let index = 0; index < FRAME; index++) {
      const sample = this.#out[index] ?? 0;
      this.#wide[2 * index] = sample;
      this.#wide[2 * index + 1] = sample;
    }
    this.#socket.send(this.#wideBytes.slice());
  }

  close(): void {
    this.#wheel.remove(this);
    this.#socket.close(1000);
  }

  #hear(data: Buffer): void {
    if (data.length !== WEB_FRAME_BYTES) return;
    this.#wideBytes.set(data);
    for (let index = 0; index < FRAME; index++) this.#in[index] = this.#wide[2 * index] ?? 0;
    this.#sink.onAudio(this.#in, this.#received * FRAME, false, Date.now());
    this.#received += 1;
  }
}
