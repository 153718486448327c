import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../errors.ts';
import { meantParameter } from '../server/meant-parameter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Keys that occur twice in an object of the body; the last value counts. */
    duplicateKeys: readonly { readonly key: string; readonly where: string }[];
    /** What the service ignored in the request, in sentences, for the answer and the request log. */
    notices: string[];
  }
}

/** Names in a header, and characters of each. */
const MAX_NAMED = 10;
const MAX_NAME = 64;

/** A client that sends `Prefer: handling=strict` (RFC 7240) has unknown parameters and duplicate keys refused. */
export const isStrict = ({ headers }: FastifyRequest): boolean =>
  [headers['prefer'] ?? '']
    .flat()
    .flatMap((value) => value.split(/[,;]/))
    .some((preference) => preference.replaceAll(/[\s"]/g, '').toLowerCase() === 'handling=strict');

/**
 * Names what a request below `prefix` holds and the service ignores: unknown query parameters in X-Unknown-Parameters,
 * duplicate keys of the body in X-Duplicate-Keys.
 */
export function nameIgnored(app: FastifyInstance, prefix: string): void {
  app.decorateRequest('duplicateKeys');
  app.decorateRequest('notices');
  app.addHook('onRequest', async (request) => {
    request.duplicateKeys = [];
    request.notices = [];
  });
  app.addHook('preValidation', async (request, reply) => {
    if (request.is404 || request.routeOptions.url?.startsWith(prefix) !== true) return;
    nameUnknownParameters(request, reply);
    nameDuplicateKeys(request, reply);
  });
}

function nameUnknownParameters(request: FastifyRequest, reply: FastifyReply): void {
  const sent = Object.keys(request.query as object);
  if (sent.length === 0) return;
  const { querystring } = request.routeOptions.schema ?? {};
  const known = Object.keys((querystring as { properties?: object } | undefined)?.properties ?? {});
  const unknown = sent
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, meant: meantParameter(name, known) }));
  if (unknown.length === 0) return;
  if (isStrict(request)) {
    throw errors.validationFailed(
      unknown.map(({ name, meant }) => ({ field: name, message: `is not a parameter here${hint(meant)}` })),
    );
  }
  const named = unknown.slice(0, MAX_NAMED);
  void reply.header(
    'x-unknown-parameters',
    named
      .map(({ name, meant }) => `${asHeader(name)}${meant === null ? '' : ` (did you mean ${meant}?)`}`)
      .join(', '),
  );
  request.notices.push(
    ...named.map(
      ({ name, meant }) => `The endpoint has no parameter ${asHeader(name)} and ignored it${hint(meant)}`,
    ),
  );
}

function nameDuplicateKeys(request: FastifyRequest, reply: FastifyReply): void {
  const named = request.duplicateKeys;
  if (named.length === 0) return;
  void reply.header(
    'x-duplicate-keys',
    named.map(({ key, where }) => `${asHeader(key)} at ${where.replaceAll(',', '')}`).join(', '),
  );
  request.notices.push(
    ...named.map(
      ({ key, where }) => `The key ${asHeader(key)} occurs again at ${where}; the last value counted`,
    ),
  );
}

const hint = (meant: string | null): string => (meant === null ? '' : `; did you mean ${meant}?`);

/** Header values hold visible ASCII only. */
const asHeader = (name: string): string => encodeURIComponent(name.toWellFormed()).slice(0, MAX_NAME);
