import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errors } from '../../errors.ts';
import type { Log } from '../../shared/log.ts';
import { NoPlaceError } from '../../shared/shares/shares.ts';
import type { KnownPaths } from './known-paths.ts';
import { SchemaFailure } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The error for an unexpected failure of this route, instead of the general one. */
    failure?: 'editFailed' | 'voicesFailed';
  }
}

/** The wait that a client is asked for when the requests of its workspace occupy its share of the service. */
const BUSY_SECONDS = 2;

/** Fastify's own errors as API errors. */
const FRAMEWORK: Readonly<Record<string, (request: FastifyRequest) => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => errors.bodyTooLarge(routeOptions.bodyLimit ?? 0),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (request) => errors.unsupportedMediaType(takenTypes(request)),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    errors.malformedRequest('the body has another length than Content-Length'),
  FST_ERR_BAD_URL: () => errors.malformedRequest('the path holds an invalid percent escape'),
  FST_ERR_ASYNC_CONSTRAINT: () => errors.malformedRequest(),
};

/** The body types that the route takes: those that its schema declares, else JSON. */
function takenTypes({ routeOptions }: FastifyRequest): readonly string[] {
  const { consumes } = (routeOptions.schema ?? {}) as { readonly consumes?: readonly string[] };
  return consumes ?? ['application/json'];
}

/**
 * SQLSTATE classes and socket errors that mean the database is unavailable, not that the request is wrong. 57014: the
 * statement timeout.
 */
const DATABASE_UNAVAILABLE = /^(08...|57P0.|57014|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/;

/** The API error of a failure; null for an unexpected one, which is logged. */
function known(error: unknown, request: FastifyRequest, paths: KnownPaths): ApiError | null {
  if (error instanceof ApiError) {
    return error.code === 'ROUTE_NOT_FOUND' ? paths.errorOf(request) : error;
  }
  if (error instanceof SchemaFailure) return error.apiError;
  if (error instanceof NoPlaceError) return errors.rateLimited(BUSY_SECONDS, 'at_once');
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (typeof code !== 'string') return null;
  return FRAMEWORK[code]?.(request) ?? null;
}

function isDatabaseUnavailable(error: unknown): boolean {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (typeof code === 'string' && DATABASE_UNAVAILABLE.test(code)) return true;
  return (
    error instanceof Error &&
    /^(timeout exceeded when trying to connect|Connection terminated)/.test(error.message)
  );
}

/** The stack of an error without its message, because a database message quotes the refused values. */
function traceOf(error: unknown): { error: string; errorCode: unknown; trace: string } {
  if (!(error instanceof Error)) return { error: typeof error, errorCode: null, trace: '' };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    errorCode: 'code' in error ? error.code : null,
    trace: frames.slice(0, 12).join('\n'),
  };
}

/** The wire form of an error. A 429 carries its reason in `error` as well (interface, Errors). */
export function errorBody(error: ApiError, requestId: string): Record<string, unknown> {
  return {
    ...error.details,
    message: error.message,
    code: error.code,
    ...(error.fields.length > 0 ? { errors: error.fields.slice(0, 100) } : {}),
    ...(error.status === 429 ? { error: error.message } : {}),
    ...(error.code === 'VOICES_FAILED' ? { status: 'error' } : {}),
    request_id: requestId,
  };
}

/** Answers every failure as `{message}` with its status, and reveals no internals. */
export function handleErrors(app: FastifyInstance, log: Log, paths: KnownPaths): void {
  app.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    let answer = known(error, request, paths);
    if (answer === null) {
      log.error(
        { ...traceOf(error), requestId: request.id, route: request.routeOptions.url },
        'request failed',
      );
      const failure = request.routeOptions.config.failure ?? 'unexpected';
      answer = isDatabaseUnavailable(error) ? errors.databaseUnavailable() : errors[failure]();
    }
    return sendError(reply, answer);
  });
  app.setNotFoundHandler((request, reply) => sendError(reply, paths.errorOf(request)));
}

export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  const wait = error.retryAfter ?? (error.status === 503 ? 5 : null);
  if (wait !== null) void reply.header('retry-after', String(wait));
  const { allow } = error.details;
  if (error.status === 405 && Array.isArray(allow)) void reply.header('allow', allow.join(', '));
  // Bypasses the route's response schema, which would drop keys.
  return reply
    .code(error.status)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((body) => JSON.stringify(body))
    .send(errorBody(error, reply.request.id));
}
