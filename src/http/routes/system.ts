import type { Server as MetricsServer } from 'node:http';
import type { FastifyReply } from 'fastify';
import { homePage } from '../home-page.ts';
import { startMetricsServer } from '../metrics-server.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** Checks that take longer count as not ready. */
const READY_TIMEOUT_MS = 5000;

/** GET / without a built dashboard, /healthz, /readyz and /metrics, for operators and orchestrators. */
export function systemRoutes(app: Server, deps: ServerDeps): void {
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
    const checks = await readyWithin(deps.ready());
    const failing = checks.filter((check) => !check.ok);
    return reply.code(failing.length === 0 ? 200 : 503).send({
      status: failing.length === 0 ? 'ready' : 'not ready',
      message: failing.length === 0 ? 'ready' : `not ready: ${failing.map((check) => check.name).join(', ')}`,
      // Named for balancers and monitors that look at one field: the process takes work, and something needs a look.
      warnings: checks.flatMap(({ name, ok, detail }) =>
        ok && detail !== undefined ? [`${name}: ${detail}`] : [],
      ),
      checks,
    });
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

type Checks = Awaited<ReturnType<ServerDeps['ready']>>;
/** The checks, or one that failed when they take too long or reject. */
export async function readyWithin(checks: Promise<Checks>): Promise<Checks> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Checks>((resolve) => {
    timer = setTimeout(
      () => resolve([{ name: 'readiness', ok: false, detail: 'the readiness checks timed out' }]),
      READY_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([checks, deadline]);
  } catch {
    return [{ name: 'readiness', ok: false, detail: 'the readiness checks failed' }];
  } finally {
    clearTimeout(timer);
  }
}
