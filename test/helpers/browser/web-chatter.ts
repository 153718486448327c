import { once } from 'node:events';
import { WebSocket } from 'ws';
import { WEB_CHAT_PROTOCOL, type ChatMessage } from '../../../src/chat/web/messages.ts';
import { eventually } from '../service/service.ts';

type Line = Extract<ChatMessage, { type: 'line' }>;

/** A web chat without a browser: the messages of the WebSocket. */
export class WebChatter {
  readonly messages: ChatMessage[] = [];
  /** Code of the close; null: open. */
  closed: number | null = null;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString()) as ChatMessage));
    socket.on('close', (code) => {
      this.closed = code;
    });
  }

  /** Rejects with the status of a refused upgrade. */
  static async connect(url: string, token: string, origin: string, after = 0): Promise<WebChatter> {
    const socket = new WebSocket(`${url}?after=${after}`, [WEB_CHAT_PROTOCOL, `token.${token}`], { origin });
    const refused = once(socket, 'unexpected-response').then(([, response]) => {
      throw new Error(`refused with ${(response as { statusCode: number }).statusCode}`);
    });
    const chatter = new WebChatter(socket);
    await Promise.race([once(socket, 'open'), refused]);
    return chatter;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  get lines(): Line[] {
    return this.messages.filter((message) => message.type === 'line');
  }

  /** The token of the next connection. */
  async resume(): Promise<string> {
    const ready = await this.wait('ready');
    return ready.type === 'ready' ? ready.resume : '';
  }

  wait(type: ChatMessage['type']): Promise<ChatMessage> {
    return eventually(`the message ${type}`, () =>
      Promise.resolve(this.messages.find((message) => message.type === type) ?? null),
    );
  }

  line(text: string): Promise<Line> {
    return eventually(`the line ${text}`, () =>
      Promise.resolve(this.lines.find((line) => line.text === text) ?? null),
    );
  }

  cut(): void {
    this.#socket.terminate();
  }
}
