import type { FastifyReply } from 'fastify';
import { homePage } from '../home-page.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** How long one readiness answer may take before it counts as not ready. */
const READY_TIMEOUT_MS = 5000;

/** GET /, /healthz, /readyz, /metrics: for people and machines that run the service. */
export function systemRoutes(app: Server, deps: ServerDeps): void {
  const hidden = { schema: { hide: true } };

  app.get('/', hidden, (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(homePage()),
  );

  // Liveness says that this process answers; it never asks the database.
  app.get('/healthz', hidden, () => ({ status: 'ok' }));

  app.get('/readyz', hidden, async (_request, reply) => {
    const checks = await withDeadline(deps.ready());
    const failing = checks.filter((check) => !check.ok);
    return reply.code(failing.length === 0 ? 200 : 503).send({
      status: failing.length === 0 ? 'ready' : 'not ready',
      message: failing.length === 0 ? 'ready' : `not ready: ${failing.map((check) => check.name).join(', ')}`,
      checks,
    });
  });

  app.get('/metrics', hidden, async (_request, reply): Promise<FastifyReply> => {
    const text = await deps.metrics.metrics();
    return reply.type(deps.metrics.contentType).send(text);
  });
}

type Checks = Awaited<ReturnType<ServerDeps['ready']>>;
async function withDeadline(checks: Promise<Checks>): Promise<Checks> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Checks>((resolve) => {
    timer = setTimeout(
      () => resolve([{ name: 'readiness', ok: false, detail: 'the checks did not answer in time' }]),
      READY_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([checks, deadline]);
  } catch {
    return [{ name: 'readiness', ok: false, detail: 'the checks failed' }];
  } finally {
    clearTimeout(timer);
  }
}
