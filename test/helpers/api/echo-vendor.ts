import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

/** A vendor that quotes every request, with its key, in every answer, and fails in another way each time. */
export interface EchoVendor {
  readonly baseUrl: string;
  /** Everything it received in URLs and headers. */
  received(): string;
  close(): Promise<void>;
}

const STATUSES = [401, 402, 429, 500, 404] as const;

export async function startEchoVendor(): Promise<EchoVendor> {
  const received: string[] = [];
  let asked = 0;
  const quoted = (request: IncomingMessage): string => {
    const text = `${request.url} ${request.rawHeaders.join(' ')}`;
    received.push(text);
    return JSON.stringify({ error: { message: `refused: ${text}` }, err_msg: text, detail: text });
  };
  const server = createServer((request, response) => {
    const body = quoted(request);
    request.resume();
    const kind = asked++ % (STATUSES.length + 1);
    const status = STATUSES[kind];
    if (status === undefined) response.end(`data: ${body}\n\n`);
    else response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => undefined);
    const body = quoted(request);
    const kind = asked++ % (STATUSES.length + 3);
    const status = STATUSES[kind];
    if (status !== undefined) {
      stream.end(
        `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => undefined);
      // Garbage that quotes the key, then a close whose reason does.
      socket.send(kind === STATUSES.length ? body : `{"type":"Error","error":${body}`);
      const words = request.rawHeaders.join(' ');
      const from = Math.max(0, words.indexOf('canary') - 20);
      socket.close(1011, words.slice(from, from + 100));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received.join('\n'),
    close: () =>
      new Promise((resolve) => {
        sockets.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
