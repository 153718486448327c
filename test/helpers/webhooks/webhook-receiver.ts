import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { eventProblems } from './event-schemas.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly raw: string;
  readonly body: any;
  readonly at: number;
}

/** A webhook receiver on loopback that records requests and returns scripted responses. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: Received[];
  events(callId: string): Received[];
  /** Deviations of received events from the published schemas. */
  problems(): string[];
  close(): Promise<void>;
}

export async function startWebhookReceiver(
  respond: (n: number) => number = () => 200,
): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      received.push({
        headers: request.headers,
        method: request.method ?? '',
        raw,
        body: raw === '' ? null : JSON.parse(raw),
        at: Date.now(),
      });
      response.writeHead(respond(received.length)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    problems: () => received.flatMap(({ body }) => eventProblems(body)),
    events: (callId) => received.filter((r) => r.body?.call_id === callId),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
