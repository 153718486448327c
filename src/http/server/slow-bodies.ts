import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An upload: the server's own timeout applies. */
    takesLong?: boolean;
  }
}

/** Minimum rate of an upload: `bytes` per window, 1 kB a second. A slower upload would block a slot. */
const MIN_RATE = { bytes: 10_000, windowMs: 10_000 };

/**
 * Closes connections whose request body is not complete after `ms`. Uploads may take longer, as long as their bytes
 * arrive at the minimum rate.
 */
export function limitBodyTime(app: FastifyInstance, ms: number, rate = MIN_RATE): void {
  app.addHook('onRequest', async (request) => {
    const { headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (!hasBody || headers['content-length'] === '0') return;
    const { raw } = request;
    if (request.routeOptions.config.takesLong === true) {
      requireRate(raw, rate);
      return;
    }
    const timer = setTimeout(() => raw.destroy(), ms);
    timer.unref();
    raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
}

/** Closes the connection after a window with too few bytes, unless received bytes wait for this process to read them. */
function requireRate(raw: IncomingMessage, { bytes, windowMs }: typeof MIN_RATE): void {
  let before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const read = raw.socket.bytesRead;
    const isSlow = read - before < bytes && raw.readableLength === 0;
    before = read;
    if (isSlow) raw.destroy();
  }, windowMs);
  timer.unref();
  raw.once('end', () => clearInterval(timer)).once('close', () => clearInterval(timer));
}
