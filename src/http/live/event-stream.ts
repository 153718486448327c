import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Grant, LiveAccess } from '../../domain/access/live-access.ts';

/** Proxies close idle streams, so a comment line is sent this often. */
const KEEP_ALIVE_MS = 15_000;
/** Bytes: a client that reads slower than events are produced is disconnected. */
const MAX_BUFFERED = 1_048_576;

/** Writes one server-sent event; `id` is what the client sends as Last-Event-ID when it reconnects. */
export type SendEvent = (data: object, id?: string) => void;

const MAX_EVENT_ID = 200;

/** The header Last-Event-ID: where the client continues. */
export function lastEventId({ headers }: FastifyRequest): string | null {
  const sent = headers['last-event-id'];
  return typeof sent === 'string' && sent.length <= MAX_EVENT_ID ? sent : null;
}

/** What ends streams besides their clients: the server closes, or the caller may no longer read. */
export interface StreamEnds {
  readonly closing: AbortSignal;
  readonly live: LiveAccess;
}

/** What allows the stream of a request; null: nothing that can be revoked. */
function grantOf({ caller, routeOptions }: FastifyRequest): Grant | null {
  const { workspaceId, credential } = caller;
  if (credential.kind === 'key') return { kind: 'key', keyId: credential.id };
  const { need } = routeOptions.config.access ?? { need: null };
  if (credential.kind === 'call' || need === null || need === 'account' || need === 'operator') return null;
  return { kind: 'session', sessionId: credential.id, workspaceId, need };
}

/**
 * Answers with server-sent events while `produce` runs. The response begins with the first event, so that an error
 * before it is an ordinary one; a later error resets the connection. `signal` of `produce` aborts when the client leaves,
 * the server closes or the caller's access is revoked.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  { closing, live }: StreamEnds,
  produce: (signal: AbortSignal, send: SendEvent) => Promise<void>,
  onBegin: () => void = () => undefined,
): Promise<void> {
  const leave = new AbortController();
  const out = reply.raw;
  let isStarted = false;
  const begin = (): void => {
    if (isStarted) return;
    isStarted = true;
    onBegin();
    reply.hijack();
    out.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // A keep-alive connection would delay the shutdown by its idle timeout.
      connection: 'close',
      'x-request-id': request.id,
    });
  };
  out.on('close', () => leave.abort());
  // A response that was already closed emits no second 'close', and a write to it an error.
  out.on('error', () => leave.abort());
  if (out.destroyed) leave.abort();
  const grant = grantOf(request);
  const release = grant === null ? () => undefined : live.hold(grant, () => leave.abort());
  const keepAlive = setInterval(() => {
    if (isStarted && !out.destroyed) out.write(': keep-alive\n\n');
  }, KEEP_ALIVE_MS);
  try {
    await produce(AbortSignal.any([leave.signal, closing]), (data, id) => {
      begin();
      if (out.destroyed || out.writableLength > MAX_BUFFERED) return leave.abort();
      out.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
      return undefined;
    });
  } catch (error) {
    // The status line is sent already, so the connection is reset instead of answering an error.
    if (!isStarted) throw error;
    out.destroy();
    return;
  } finally {
    release();
    clearInterval(keepAlive);
  }
  begin();
  out.end();
}

/** Aborts when the server closes: closing waits for open responses, so streams end first. */
export function closingOf(app: {
  addHook(name: 'preClose', run: (done: () => void) => void): unknown;
}): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  return closing.signal;
}
