import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { Entrance, type EntranceName } from '../../shared/ingress/entrance.ts';
import { once } from '../../shared/once.ts';

/**
 * Serves a text that is constant while the process runs: built at the first request, cached as bytes and compressed
 * bytes, answered with 304 to a client that has it. These documents need no key, so a request for one must be cheap.
 */
export function fixedDocument(
  type: string,
  build: () => string,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const built = once(() => {
    const bytes = Buffer.from(build());
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { bytes, zipped: gzipSync(bytes), etag: `"${hash}"` };
  });
  return (request, reply) => {
    const { bytes, zipped, etag } = built();
    void reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    const known = request.headers['if-none-match'];
    if (known === etag || known === `W/${etag}`) return reply.code(304).send();
    const takesGzip = /\bgzip\b(?!;q=0(?:\.0*)?\b)/.test(request.headers['accept-encoding'] ?? '');
    void reply.type(type);
    return takesGzip ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(bytes);
  };
}

/** Routes without a key that cost more than a few bytes. Probes (/healthz, /readyz) are not among them. */
const OPEN = new Set(['/openapi.json', '/api.md', '/llms.txt', '/docs/json', '/docs/yaml', '/metrics']);
/** Requests of one block of addresses for all of them: a reader of the API's document asks for a few at once. */
const DOCUMENTS = { address: { messages: { burst: 100, perSecond: 10 } } };

/** Answers 429 to a block of addresses that asks for open documents too often. */
export function limitOpenDocuments(
  app: FastifyInstance,
  deps: { readonly clock: Clock; readonly onRefused?: ((entrance: EntranceName) => void) | undefined },
): void {
  const entrance = new Entrance('document', DOCUMENTS, deps);
  app.addHook('onRequest', async (request, reply) => {
    if (!OPEN.has(request.routeOptions.url ?? '')) return;
    const wait = entrance.admit({ address: request.ip });
    if (wait === 0) return;
    void reply.header('retry-after', String(wait));
    throw errors.rateLimited(wait, 'documents', `${DOCUMENTS.address.messages.perSecond} a second`);
  });
}
