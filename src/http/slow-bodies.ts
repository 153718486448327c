import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body may take minutes to come in: an upload. */
    takesLong?: boolean;
  }
}

/** Closes connections whose request body does not come in time; routes that take uploads have the server's own limit. */
export function limitBodyTime(app: FastifyInstance, ms: number): void {
  app.addHook('onRequest', async (request) => {
    const { headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (!hasBody || headers['content-length'] === '0' || request.routeOptions.config.takesLong === true)
      return;
    const { raw } = request;
    const timer = setTimeout(() => raw.destroy(), ms);
    timer.unref();
    raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
}
