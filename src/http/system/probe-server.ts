import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { readiness } from './readiness.ts';
import type { ReadyCheck } from '../server/server-deps.ts';

/** Serves /healthz, /readyz and /metrics for a process without the API. Rejects when the address cannot be used. */
export async function startProbeServer(
  at: { readonly host: string; readonly port: number },
  deps: { readonly metrics: Registry; ready(): Promise<ReadyCheck[]> },
): Promise<Server> {
  const json = (response: ServerResponse, status: number, body: object): unknown =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    if (path === '/healthz') {
      json(response, 200, { status: 'ok' });
    } else if (path === '/readyz') {
      void readiness(deps.ready()).then(({ status, body }) => json(response, status, body));
    } else if (path === '/metrics') {
      const { contentType } = deps.metrics;
      deps.metrics.metrics().then(
        (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    } else response.writeHead(404).end();
  });
  server.listen(at.port, at.host);
  await once(server, 'listening');
  return server;
}
