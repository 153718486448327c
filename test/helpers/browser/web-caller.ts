import { once } from 'node:events';
import { WebSocket } from 'ws';
import { WEB_CALL_PROTOCOL, type ServerMessage } from '../../../src/telephony/web/messages.ts';
import { eventually, type Service } from '../service/service.ts';

/** A page's answer to POST /calling/webcall. */
export interface OpenedPage {
  readonly call_id: string;
  readonly token: string;
  readonly ws_url: string;
}

/** The agent's public key. */
export async function publicKeyOf(service: Pick<Service, 'request'>, agentId: string): Promise<string> {
  const { body } = await service.request('GET', `/api/v0/agent/${agentId}`);
  return body.agents.webcall_public_key as string;
}

/** Begins a browser call as a page of `origin` does. */
export async function openPage(
  url: string,
  key: string,
  agentId: string,
  { origin = url, ...more }: { origin?: string; args?: Record<string, string> } = {},
): Promise<{ status: number; body: any }> {
  const response = await fetch(`${url}/api/v0/calling/webcall`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, origin },
    body: JSON.stringify({ agent_id: agentId, custom_args_values: more.args ?? {} }),
  });
  return { status: response.status, body: await response.json() };
}

/** A browser call without a browser: the messages and frames of the WebSocket. */
export class WebCaller {
  readonly messages: ServerMessage[] = [];
  /** The agent's frames and when they came. */
  readonly frames: { readonly pcm: Buffer; readonly at: number }[] = [];
  readonly #socket: WebSocket;
  #timer: NodeJS.Timeout | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.frames.push({ pcm: data, at: performance.now() });
      else this.messages.push(JSON.parse(data.toString()) as ServerMessage);
    });
  }

  /** Rejects with the status of a refused upgrade. */
  static async connect(wsUrl: string, token: string, origin: string): Promise<WebCaller> {
    const socket = new WebSocket(wsUrl, [WEB_CALL_PROTOCOL, `token.${token}`], { origin });
    const refused = once(socket, 'unexpected-response').then(([, response]) => {
      throw new Error(`refused with ${(response as { statusCode: number }).statusCode}`);
    });
    const caller = new WebCaller(socket);
    await Promise.race([once(socket, 'open'), refused]);
    return caller;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  sendRaw(data: string | Buffer): void {
    this.#socket.send(data);
  }

  /** Sends the audio in real time, and silence after it. */
  speak(pcm: Int16Array): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    const startedAt = performance.now();
    let sent = 0;
    this.#timer = setInterval(() => {
      for (; sent * 20 <= performance.now() - startedAt; sent += 1) {
        const frame = Buffer.alloc(640);
        const part = pcm.subarray(sent * 320, sent * 320 + 320);
        frame.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
        if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(frame);
      }
    }, 10);
  }

  /** Cuts the connection as a lost network does. */
  cut(): void {
    this.#stop();
    this.#socket.terminate();
  }

  async closed(): Promise<number> {
    const [code] = this.#socket.readyState === WebSocket.CLOSED ? [0] : await once(this.#socket, 'close');
    this.#stop();
    return code as number;
  }

  of<T extends ServerMessage['type']>(type: T): Extract<ServerMessage, { type: T }>[] {
    return this.messages.filter(
      (message): message is Extract<ServerMessage, { type: T }> => message.type === type,
    );
  }

  get lines(): string[] {
    return this.of('line').map(({ role, text }) => `${role}: ${text}`);
  }

  /** The agent's audio so far. */
  get heard(): Int16Array {
    const bytes = Buffer.concat(this.frames.map(({ pcm }) => pcm));
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  }

  line(pattern: RegExp): Promise<string> {
    return eventually(
      `the line ${pattern.source} among ${this.lines.join(' | ')}`,
      async () => this.lines.find((line) => pattern.test(line)) ?? null,
    );
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
