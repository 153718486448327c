import { createServer } from 'node:http';

export interface ToolRequestSeen {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: any;
}
export interface ToolServer {
  readonly origin: string;
  readonly seen: ToolRequestSeen[];
  close(): Promise<void>;
}
export interface ToolAnswer {
  readonly status?: number;
  readonly body?: unknown;
  /** Delay of the response; `Infinity`: no response. */
  readonly waitMs?: number;
  /** The response leaves after this. */
  readonly after?: Promise<void>;
}

/** An HTTP server on loopback that records requests and returns scripted responses. */
export async function startToolServer(
  answer: (request: ToolRequestSeen, n: number) => ToolAnswer,
): Promise<ToolServer> {
  const seen: ToolRequestSeen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const isJson = String(request.headers['content-type']).includes('json');
      const { method = '', url = '', headers } = request;
      const received = { method, url, headers, body: text === '' ? null : isJson ? JSON.parse(text) : text };
      seen.push(received);
      const { status = 200, body = {}, waitMs = 0, after } = answer(received, seen.length);
      if (waitMs === Number.POSITIVE_INFINITY) return;
      const respond = (): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
      if (after === undefined) setTimeout(respond, waitMs);
      else void after.then(respond);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
