import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describedRequest, redactedBody } from '../../domain/requests/described-request.ts';
import type { RedactedJson } from '../../domain/requests/redacted-json.ts';
import type { RequestLog } from '../../domain/requests/request-log.ts';
import { keyHashOf, type Caller } from '../../domain/workspaces/authenticate-key.ts';
import type { AuthDeps } from '../server/authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, for the request log; null: none, not JSON, or not by key. `dropped`: the log is full. */
    sentBody: RedactedJson | 'dropped' | null;
    /** The response of a refused or failed request by key. */
    refusal: string | null;
  }
  interface FastifyContextConfig {
    /** What the request log keeps of the route; default everything. */
    requestLog?: 'nothing' | 'no-body';
  }
}

/**
 * Logs every request below `prefix` that a key sent. Requests of sessions are not logged: the pages of the dashboard
 * would crowd the others out. Nor is one without a valid key: it belongs to no workspace.
 */
export function logRequests(app: FastifyInstance, log: RequestLog, auth: AuthDeps, prefix: string): void {
  if (!log.isOn) return;
  app.decorateRequest('sentBody', null);
  app.decorateRequest('refusal', null);
  // Before validation, which adds the defaults of the schema.
  app.addHook('preValidation', (request, _reply, done) => {
    const { body, routeOptions } = request;
    if (body == null || routeOptions.config.requestLog !== undefined) return done();
    const caller = callerOf(request);
    if (caller !== null) {
      request.sentBody = log.hasCapacity(caller.workspaceId) ? redactedBody(body) : 'dropped';
    }
    return done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400 && typeof payload === 'string' && sentKeyOf(request) !== null) {
      request.refusal = payload;
    }
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const caller = callerOf(request);
    if (caller !== null) append(log, request, reply, caller);
    else if (request.is404 && request.url.startsWith(`${prefix}/`)) {
      void ownerOf(auth, request).then(
        (owner) => owner !== null && append(log, request, reply, owner),
        () => undefined,
      );
    }
  });
  app.addHook('onClose', () => log.settled());
}

const sentKeyOf = ({ headers }: FastifyRequest): string | null => {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : null;
};

/** The caller of a request by key. */
function callerOf(request: FastifyRequest): Caller | null {
  const caller = request.caller as Caller | undefined;
  return caller?.actor.type === 'api_key' ? caller : null;
}

/** The owner of the key of a request that matched no route, so that nothing has checked the key. */
async function ownerOf({ keys, throttle }: AuthDeps, request: FastifyRequest): Promise<Caller | null> {
  const keyHash = keyHashOf(sentKeyOf(request) ?? undefined);
  if (keyHash === null || throttle.waitSeconds(request.ip, keyHash) > 0) return null;
  const owner = await keys.find(keyHash, request.ip);
  if (owner === null) throttle.failed(request.ip);
  return owner;
}

function append(log: RequestLog, request: FastifyRequest, reply: FastifyReply, caller: Caller): void {
  const { requestLog } = request.routeOptions.config;
  if (requestLog === 'nothing') return;
  const { sentBody } = request;
  if (sentBody === 'dropped' || !log.hasCapacity(caller.workspaceId)) return log.drop();
  log.append(
    describedRequest({
      workspaceId: caller.workspaceId,
      key: caller.actor.name,
      sentKey: sentKeyOf(request) ?? '',
      method: request.method,
      path: request.url,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      requestId: request.id,
      contentType: request.headers['content-type'],
      contentLength: request.headers['content-length'],
      body: requestLog === 'no-body' ? null : (sentBody ?? formOf(request)),
      response: request.refusal,
      notices: request.notices,
    }),
  );
}

/** The fields of a form, with the names of its files; null for another body. */
function formOf({ headers, body }: FastifyRequest): RedactedJson | null {
  const isForm = headers['content-type']?.startsWith('multipart/form-data') === true;
  if (!isForm || typeof body !== 'object' || body === null) return null;
  const { file, files, ...fields } = body as Readonly<Record<string, unknown>>;
  return redactedBody({
    ...fields,
    ...(file === undefined ? {} : { file: nameOf(file) }),
    ...(Array.isArray(files) ? { files: files.map(nameOf) } : {}),
  });
}

/** Forms have each file as its name and digest. */
const nameOf = (file: unknown): unknown => (Array.isArray(file) ? file[0] : null);
