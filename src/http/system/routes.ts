import type { Server as MetricsServer } from 'node:http';
import type { FastifyReply } from 'fastify';
import { homePage } from '../pages/home-page.ts';
import { startMetricsServer } from './metrics-server.ts';
import { readiness } from './readiness.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type SystemRouteDeps = Pick<ServerDeps, 'ready' | 'metrics' | 'metricsAt' | 'web'>;

/** GET / without a built dashboard, /healthz, /readyz and /metrics, for operators and orchestrators. */
export function systemRoutes(app: Server, deps: SystemRouteDeps): void {
  const hidden = { schema: { hide: true } };

  if (deps.web == null) {
    app.get('/', hidden, (_request, reply) =>
      reply
        .header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        )
        .type('text/html; charset=utf-8')
        .send(homePage()),
    );
  }

  // Liveness only shows that the process answers, so it must not query the database.
  app.get('/healthz', hidden, () => ({ status: 'ok' }));

  app.get('/readyz', hidden, async (_request, reply) => {
    const { status, body } = await readiness(deps.ready());
    return reply.code(status).send(body);
  });

  const { metrics, metricsAt = null } = deps;
  if (metricsAt === null) {
    app.get('/metrics', hidden, async (_request, reply): Promise<FastifyReply> => {
      const text = await metrics.metrics();
      return reply.type(metrics.contentType).send(text);
    });
    return;
  }
  let server: MetricsServer | null = null;
  app.addHook('onReady', async () => {
    server = await startMetricsServer(metricsAt, metrics);
  });
  app.addHook('onClose', async () => {
    server?.close();
    server?.closeAllConnections();
  });
}
