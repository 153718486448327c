import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { ServerDeps } from '../server/server-deps.ts';

/** Serves GET /metrics alone on an address of its own, which a firewall can keep from clients. */
export async function startMetricsServer(
  at: { readonly host: string; readonly port: number },
  metrics: ServerDeps['metrics'],
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(at.port, at.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`METRICS_PORT ${at.port} on ${at.host} cannot be used: ${error.code}`, { cause: error });
  });
  return server;
}
